"""The transformers data set, as users collect it."""

from __future__ import annotations

import csv
import importlib
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
pytest.importorskip("transformers", reason="transformers is not installed")

import jouletree as jt

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
SCRIPT = EXAMPLES / "transformers_dataset.py"
MODELS = "bert-base-cased,bert-l2-h128,albert-large-v2-l8,transfo-xl-wt103-l4"
QUICK = ("--small", "--models", MODELS, "--sizes", "1x8,2x16", "--budget", "0.02")
SETS = 5 * 2  #: Two heads of the last, one of the others; two sizes.

Set = tuple[str, ...]


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, env=os.environ)


def _main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """The exit code, without a process of its own."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *arguments])
    script = importlib.import_module("transformers_dataset")
    try:
        return script.main()
    except SystemExit as leaving:
        return leaving.code


def _sets(path: pathlib.Path) -> dict[Set, list[dict[str, str]]]:
    sets: dict[Set, list[dict[str, str]]] = defaultdict(list)
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            key = tuple(row[name] for name in ("model_name", "head", "batch_size", "seq_len"))
            sets[key].append(row)
    return sets


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, str, str]:
    path = tmp_path_factory.mktemp("set") / "small.csv"
    done = _run(*QUICK, "-o", path)
    assert done.returncode == 0, done.stderr
    return path, done.stdout, done.stderr


Collected = tuple[pathlib.Path, str, str]


def test_every_layer_has_counts_and_a_time(collected: Collected) -> None:
    sets = _sets(collected[0])

    assert len(sets) == SETS
    for rows in sets.values():
        layers = [row for row in rows if row["level"] == "ml"]
        (whole,) = [row for row in rows if row["level"] == "model"]
        assert len(layers) > 10
        for row in layers:
            assert row["name"] and row["class"] and row["type"]
            assert row["input_size"] and row["output_size"]
            assert float(row["time_low_s"]) <= float(row["time_s"]) <= float(row["time_high_s"])
            assert int(row["runs_timed"]) >= 5
            assert row["time_provenance"] == "measured" and row["count_provenance"] == "counted"
            assert (row["energy_j"], row["energy_provenance"]) == ("", "")
        assert sum(float(row["macs"]) for row in layers) == float(whole["macs"])
        assert sum(float(row["flops"]) for row in layers) == float(whole["flops"])


def test_linear_layers_count_what_their_sizes_say(collected: Collected) -> None:
    for key, rows in _sets(collected[0]).items():
        for row in rows:
            if row["type"] != "Linear":
                continue
            inputs, outputs = (
                [int(s) for s in row[n].split("x")] for n in ("input_size", "output_size")
            )
            tokens = 1
            for size in inputs[:-1]:
                tokens *= size
            assert float(row["macs"]) == tokens * inputs[-1] * outputs[-1], (key, row["name"])


def test_a_layer_that_is_called_again_has_a_row_for_each_call(collected: Collected) -> None:
    rows = _sets(collected[0])["albert-large-v2-l8-small", "token-classification", "1", "8"]
    queries = [row for row in rows if row["name"].endswith(".query")]

    assert len(queries) == 2, "two layers share their weights"
    assert queries[0] == queries[1]
    assert float(queries[0]["macs"]) == 8 * 64 * 64


def test_both_methods_print_their_errors(collected: Collected) -> None:
    path, printed, _ = collected
    lines = [line.split() for line in printed.splitlines()[2:]]

    assert [line[:2] for line in lines] == [
        ["neuralpower", "model"],
        ["neuralpower", "family"],
        ["ledger", "model"],
        ["ledger", "family"],
    ]
    for line in lines:
        assert float(line[2]) > 0
    for method in ("neuralpower", "ledger"):
        assert path.with_suffix(f".{method}.json").exists()


def test_the_commands_read_it_as_it_is(
    collected: Collected, command: Callable[..., str], tmp_path: pathlib.Path
) -> None:
    path = collected[0]

    for method in ("neuralpower", "ledger"):
        predictor = tmp_path / f"{method}.json"
        command("train", path, "--method", method, "--features", "specs", "-o", predictor)
        filled = tmp_path / "filled.csv"
        command("predict", predictor, path, "--features", "specs", "-o", filled)
        before, after = path.read_text().splitlines(), filled.read_text().splitlines()
        assert len(before) == len(after)
        assert all(new.startswith(old + ",") for old, new in zip(before, after, strict=True))
    checked = jt.crossvalidate(path, features="specs")
    assert {fold["left_out"] for fold in checked.folds} == {key[0] for key in _sets(path)}
    assert checked.overall_time["model"] is not None


def test_a_second_run_only_measures_what_is_missing(
    collected: Collected, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "again.csv"
    complete = collected[0].read_text().splitlines(keepends=True)
    last = complete[-1].split(",")[:5]
    kept = [line for line in complete if line.split(",")[:5] != last]
    path.write_text("".join(kept))

    done = _run(*QUICK, "-o", path)

    assert done.returncode == 0, done.stderr
    assert f"{SETS - 1} of {SETS} are in the file already" in done.stderr
    assert "[1/1]" in done.stderr
    assert path.read_text().startswith("".join(kept))
    assert _sets(path).keys() == _sets(collected[0]).keys()


def test_killed_in_the_middle_it_leaves_whole_sets_and_goes_on(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "killed.csv"
    words = [sys.executable, str(SCRIPT), *QUICK, "-o", str(path)]
    running = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith("[3/"):
            break
    time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    running.stderr.close()
    sets = _sets(path)
    assert 3 <= len(sets) < SETS
    for rows in sets.values():
        assert rows[-1]["level"] == "model", "the last row of a set"

    done = _run(*QUICK, "-o", path)

    assert done.returncode == 0, done.stderr
    assert f"{len(sets)} of {SETS} are in the file already" in done.stderr
    assert len(_sets(path)) == SETS
    assert not list(tmp_path.glob(".*")), "nothing else is left behind"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--models", "bertt"), "there is no 'bertt'"),
        (("--models", "0"), "0 models are none"),
        (("--sizes", "8by64"), "'8by64' is no size"),
        (("--sizes", "0x64"), "'0x64' is no size"),
        (("--budget", "-1"), "give seconds above 0"),
        (("--threads", "0"), "is not between 1 and"),
        (("-o", "nowhere/set.csv"), "nowhere/set.csv: cannot be written"),
        (("-o", str(EXAMPLES / "dataset")), "cannot be"),
    ],
)
def test_what_it_cannot_use_is_a_sentence(
    arguments: tuple[str, ...],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = _main(monkeypatch, "--small", "--models", "1", "--sizes", "1x8", *arguments)

    assert code == 2
    assert words in capsys.readouterr().err


def test_a_file_of_something_else_is_left_alone(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")

    assert _main(monkeypatch, *QUICK, "-o", str(path)) == 2

    assert "has other columns" in capsys.readouterr().err
    assert path.read_text() == "a,b\n1,2\n"


def test_two_programs_do_not_add_to_one_file(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from dataset.row_sets import CannotUse, RowSets

    path = tmp_path / "set.csv"
    with RowSets(path, ["a", "b"], ["a"]) as sets:
        sets.add([{"a": 1, "b": 2}, {"a": 1, "b": 3}])
        with pytest.raises(CannotUse, match="another program"), RowSets(path, ["a", "b"], ["a"]):
            pass
    with RowSets(path, ["a", "b"], ["a"]) as sets:
        assert sets.finished == {("1",)}
        sets.add([{"a": "with, comma", "b": ""}])

    assert path.read_text() == 'a,b\n1,2\n1,3\n"with, comma",\n'
    assert [file.name for file in tmp_path.iterdir()] == ["set.csv"]


def test_all_families_of_the_zoo_are_there_with_their_sizes(
    command: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from dataset import models

    listed = models.transformers()
    images = {"AlexNet", "VGG", "ResNet", "MobileNet", "Mixed", "NAS-Bench-201"}
    families = {words[1] for words in map(str.split, command("zoo", "list").splitlines()[2:])}

    assert {one.family for one in listed} == families - images
    assert len({one.name for one in listed}) >= 40
    assert len(listed) == len({(one.name, one.head) for one in listed})
    zoo = set(jt.zoo())
    for name in {one.name for one in listed}:
        plain = name.rpartition("-l")[0]
        assert {name, plain, name + "-encoder", plain + "-encoder"} & zoo, name


def test_models_without_heads_have_the_parameters_of_the_zoo(
    command: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from dataset import models

    zoo = {row[0]: row for row in map(str.split, command("zoo", "list").splitlines()[2:])}
    for name, one in {one.name: one for one in models.transformers()}.items():
        plain = name.rpartition("-l")[0]
        row = next(
            zoo[known]
            for known in (name, plain, name + "-encoder", plain + "-encoder")
            if known in zoo
        )
        settings = {key: int(value) for key, _, value in (word.partition("=") for word in row[3:])}
        positions = settings.get("positions", 512) - (2 if "RoBERTa" in one.family else 0)
        whole = replace(one, head="none", layers=settings["layers"], positions=positions)
        with torch.device("meta"):
            made = models.build(whole)
        params = sum(parameter.numel() for parameter in made.parameters())
        assert params == int(row[2].replace(",", "")), name
