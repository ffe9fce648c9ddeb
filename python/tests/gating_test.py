"""Gates: whether a model became slower or hungrier."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from typing import Any

import pytest

import jouletree as jt
from jouletree import _core

PROGRAM = pathlib.Path(jt.__file__).parent / "bin" / "jouletree"
STEADY = pathlib.Path(__file__).parents[2] / "tests/golden/scripted_profiles/steady"


@pytest.fixture(scope="module")
def slowed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The steady profile, if the whole model had taken half as long again."""
    folder = tmp_path_factory.mktemp("profiles") / "slowed"
    shutil.copytree(STEADY, folder)
    profile = json.loads((folder / "profile.json").read_text())
    time = profile["metrics"]["time_s"]
    time.update({bound: 1.5 * time[bound] for bound in ("value", "low", "high")})
    (folder / "profile.json").write_text(json.dumps(profile))
    trials = [json.loads(line) for line in (folder / "trials.jsonl").read_text().splitlines()]
    for trial in trials:
        if trial["kind"] == "whole":
            trial["seconds_per_run"] *= 1.5
    (folder / "trials.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in trials))
    return str(folder)


def said(*arguments: object, code: int) -> str:
    words = [str(PROGRAM), "gate", *(str(argument) for argument in arguments)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout


def test_prints_what_the_command_prints(slowed: str) -> None:
    result = jt.gate(slowed, STEADY, max_time="+5%", max_macs="+0%", max_params=0.2)

    flags = [slowed, "--baseline", STEADY, "--max-time", "+5%", "--max-macs", "+0%"]
    flags += ["--max-params", "20"]
    assert f"{result}\n" == _core.python_words(said(*flags, code=1))
    assert result.to_json() == said(*flags, "--format", "json", code=1)
    assert result.markdown() == said(*flags, "--format", "markdown", code=1)


def test_a_check_has_limit_change_interval_and_verdict(slowed: str) -> None:
    result = jt.gate(slowed, STEADY, max_time="+5%", max_macs="+0%")

    time, macs = result.checks
    assert (time.metric, time.limit, time.verdict) == ("time_s", 0.05, "failed")
    assert time.change.value == pytest.approx(0.5) and time.change.provenance == "measured"
    assert time.change.low is not None and time.change.high is not None
    assert 0 < time.change.low < 0.5 < time.change.high
    assert time.p is not None and time.p <= 0.05 and time.significant
    assert time.now.value == pytest.approx(1.5 * float(time.baseline))
    assert (macs.verdict, macs.change.value, macs.p) == ("passed", 0, None)
    assert macs.change.low is None and macs.baseline.provenance == "counted"
    assert "<td class='number'>+50.0 % (" in result._repr_html_()


def test_require_raises_where_the_gate_failed(slowed: str) -> None:
    failed = jt.gate(slowed, STEADY, max_time="+5%")
    assert not failed.passed
    with pytest.raises(jt.Failed, match=r"^Failed: Time grew by 50\.0 % \(limit \+5 %\)\.$"):
        failed.require()

    passed = jt.gate(STEADY, slowed, max_time="+5%")
    assert passed.passed and passed.require() is passed and passed.summary == "Passed."


def test_profiles_in_memory_are_gated_as_their_folders(slowed: str, tmp_path: pathlib.Path) -> None:
    of_folders = jt.gate(slowed, STEADY, max_time="+5%")
    of_profiles = jt.gate(jt.load(slowed), jt.load(STEADY), max_time="+5%")
    assert of_profiles.to_json() == of_folders.to_json()

    database = jt.Database(tmp_path / "lab.sqlite")
    database.import_files(STEADY)
    model = next(iter(database.models))["name"]
    kept = jt.gate(slowed, database[model], max_time="+5%")
    assert kept.checks[0].change == of_folders.checks[0].change
    assert kept.history is not None and kept.history["measurements"] == 1
    assert of_folders.history is None


def test_update_makes_the_first_baseline_and_keeps_a_better_one(
    slowed: str, tmp_path: pathlib.Path
) -> None:
    kept = tmp_path / "kept"
    first = jt.gate(jt.load(STEADY), kept, max_time="+5%", update=True)
    assert first.passed and first.checks == []
    assert first.summary == "Passed: this profile is the first baseline."
    trials = (STEADY / "trials.jsonl").read_text()
    assert (kept / "trials.jsonl").read_text() == trials

    assert not jt.gate(slowed, kept, max_time="+5%", update=True).passed
    assert (kept / "trials.jsonl").read_text() == trials, "what failed is no baseline"
    assert jt.gate(slowed, kept, max_time="+60%", update=True).passed
    assert (kept / "trials.jsonl").read_text() != trials


def test_models_are_handed_over_with_how_they_run(
    small_bert: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tests/gate_test.py runs models by turns, which takes a minute."""
    handed: dict[str, Any] = {}

    def gate_models(model: Any, against: Any, limits: Any, seconds: float, **how: Any) -> Any:
        handed.update(model=model, against=against, limits=limits, seconds=seconds, **how)
        handed["exist"] = [pathlib.Path(one[0]).exists() for one in (model, against)]
        return jt.gate(STEADY, STEADY, max_time=0)._texts

    monkeypatch.setattr(_core, "gate_models", gate_models)
    content = pathlib.Path(small_bert).read_bytes()
    result = jt.gate(
        content, against="bert-l2-h128", max_time="+5%", dims={"batch": 1}, time="2s", threads=2
    )

    assert result.passed and handed["exist"] == [True, True]
    assert handed["model"][1:] == ("the model", "the model")
    assert handed["against"][1:] == ("zoo: bert-l2-h128", "bert-l2-h128")
    assert (handed["limits"], handed["seconds"]) == ({"max_time": "+5%"}, 2)
    assert handed["dims"] == {"batch": 1} and handed["run"]["threads"] == 2


def test_a_model_that_cannot_run_is_named(small_bert: str) -> None:
    with pytest.raises(jt.BadInput, match=r"^the model"):
        jt.gate(b"no model", against=small_bert, max_time=0.05, dims={"batch": 1, "sequence": 8})
    with pytest.raises(jt.BadInput, match="max_time is 'fast'"):
        jt.gate(small_bert, against=small_bert, max_time="fast")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"baseline": STEADY}, "gate needs a limit, such as max_time='+5%'"),
        ({"max_time": "+5%"}, "gate needs something to compare with"),
        ({"baseline": STEADY, "against": "resnet-18", "max_time": 0.05}, "one of them"),
        ({"baseline": STEADY, "max_time": "fast"}, "max_time is 'fast': give per cent"),
        ({"baseline": STEADY, "max_time": 5}, "max_time is 5: give per cent"),
        ({"baseline": STEADY, "max_time": 0.05, "dims": {"batch": 1}}, "dims is for against"),
        ({"baseline": 3, "max_time": 0.05}, "baseline is an int: give a profile"),
        ({"baseline": "nowhere", "max_time": 0.05}, "nowhere"),
        ({"baseline": "resnet-18", "max_time": 0.05}, "resnet-18: is no profile; measure it first"),
        ({"against": "resnet-18", "update": True}, "update is for baselines of profiles"),
        ({"against": "resnet-18", "max_time": 0.05, "time": 0}, "time is 0: give a time above 0"),
    ],
)
def test_what_cannot_be_used_is_named(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(jt.BadInput) as raised:
        jt.gate(STEADY, **arguments)
    assert sentence in str(raised.value)
