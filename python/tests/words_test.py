"""Sentences of the library in Python's words: arguments in the place of flags."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import jouletree as jt
from jouletree import _core


@pytest.mark.parametrize(
    ("said", "spelt"),
    [
        ("set them with --dim NAME=SIZE", "set them with dims={'NAME': SIZE}"),
        ("--dim batch=8", "dims={'batch': 8}"),
        ("--dim batch: not there", "dims['batch']: not there"),
        ("give one with --input x=1x3x224x224.", "give one with x={'x': (1, 3, 224, 224)}."),
        ("--input ids=7:int64", "x={'ids': (7,)}"),
        ("--input s=scalar", "x={'s': ()}"),
        ("choose with --input NAME=SHAPE", "choose with x={'NAME': SHAPE}"),
        ("but --input says that 'x' is", "but x says that 'x' is"),
        ("--value f=true or --value f=false", "values={'f': True} or values={'f': False}"),
        ("(set it with --value sr=NUMBER)", "(set it with values={'sr': NUMBER})"),
        ("--value axes=0,1", "values={'axes': [0, 1]}"),
        ("content from --value already", "content from values already"),
        ("as in --data ids=a.npy; the", "as in data={'ids': 'a.npy'}; the"),
        ("--data a.npy: no such file", "data=['a.npy']: no such file"),
        ("real data with --data", "real data with data"),
        ("(levels 0 to 1 of 2; --depth 2 shows all)", "(levels 0 to 1 of 2; depth=2 shows all)"),
        ("(--class-axis 1) or (--class-axis -1)", "(class_axis=1) or (class_axis=-1)"),
        ("about --budget 64s would", "about budget='64s' would"),
        ("--method ledger prices", "method='ledger' prices"),
        ("leave --features out", "leave features out"),
        ("--features specs is possible", "features='specs' is possible"),
        ("another --leave-out", "another leave_out"),
        ("the older profile with --replace", "the older profile with replace=True"),
        (
            "the array with: jouletree profile MODEL --data a.npy",
            "the array with: jouletree.profile(MODEL, data=['a.npy'])",
        ),
        # Not ours, or nothing that Python has.
        ("optimum-cli export onnx --model net", "optimum-cli export onnx --model net"),
        ("nvidia-smi --query-gpu=index", "nvidia-smi --query-gpu=index"),
        ("give --sysroot /host", "give --sysroot /host"),
        ("a---dim b--dim --dimension", "a---dim bdims --dimension"),
        ("ends with --dim", "ends with dims"),
        ("ends with --", "ends with --"),
        ("", ""),
    ],
)
def test_flags_are_spelt_as_arguments(said: str, spelt: str) -> None:
    assert _core.python_words(said) == spelt


def test_notes_tables_and_pages_speak_of_arguments() -> None:
    result = jt.inspect("bert-l2-h128")
    assert any("dims={'NAME': SIZE}" in note for note in result.notes)
    for text in (*result.notes, str(result), result._repr_html_(), result.table(depth=1)):
        assert "--" not in text
    # What is for programs is as the command writes it.
    assert any("--dim" in note for note in json.loads(result.to_json())["notes"])


def test_errors_speak_of_arguments(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(b"no array")
    with pytest.raises(jt.BadInput, match=r"data=\['/nowhere.npy'\]: "):
        jt.profile("bert-l2-h128", data=["/nowhere.npy"])
    with pytest.raises(jt.BadInput) as told:
        jt.inspect(tmp_path / "x.npy")
    assert "--" not in str(told.value)


def test_a_notebook_shows_titles_and_values_as_the_terminal_does() -> None:
    page = jt.inspect("resnet-18")._repr_html_()
    assert "<td>Parameters</td><td class='number'>11,689,512</td>" in page
    assert "<td>MACs</td><td class='number'>1.81 G (1,814,073,344)</td>" in page
    assert "Parameters 9,408, MACs 118 M" in page
    assert "params" not in page and "macs" not in page


def test_a_comparison_in_a_notebook_has_a_column_for_each_model() -> None:
    page = jt.compare("resnet-18", "resnet-34")._repr_html_()
    assert "<th>resnet-18</th><th>resnet-34</th>" in page
    assert (
        "<td>MACs</td><td class='number'>1.81 G</td><td class='number'>3.66 G (worse)</td>" in page
    )
