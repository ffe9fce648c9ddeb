"""Comparing models and profiles."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import jouletree as jt
from jouletree import metrics

Command = Callable[..., str]


@pytest.fixture(autouse=True)
def no_metrics_of_others() -> Iterator[None]:
    yield
    metrics._definitions.clear()


def test_prints_what_the_command_prints(
    small_bert: str, tmp_path: pathlib.Path, command: Command, spoken: Command
) -> None:
    other = tmp_path / "other.onnx"
    command("zoo", "build", "resnet-18", "--set", "size=64", "-o", other)

    comparison = jt.compare(small_bert, other)

    assert f"{comparison}\n" == spoken("compare", small_bert, other)
    assert comparison.to_json() == command("compare", small_bert, other, "--format", "json")
    by_type = jt.compare(small_bert, other, by_type=True)
    assert f"{by_type}\n" == spoken("compare", small_bert, other, "--by", "type")


def test_numbers_of_each_model_are_there() -> None:
    comparison = jt.compare("resnet-18", jt.inspect("resnet-34"))

    assert comparison.labels == ["resnet-18", "resnet-34"]
    macs = [comparison.metrics[label]["macs"] for label in comparison.labels]
    assert macs[1].value is not None and macs[1].provenance == "counted"
    assert comparison.ratios("macs")["resnet-34"] == macs[1].value / float(macs[0])
    assert comparison.verdicts("macs") == {"resnet-34": "worse"}
    assert "<th>resnet-34</th>" in comparison._repr_html_()
    with pytest.raises(jt.BadInput, match=r"^there is no metric 'makks'"):
        comparison.ratios("makks")


def test_profiles_are_compared_with_what_was_measured(
    small_bert: str, tmp_path: pathlib.Path, command: Command, spoken: Command
) -> None:
    quick: dict[str, Any] = {"budget": "1s", "baseline": 0, "modules": False}
    first = jt.profile(small_bert, dims={"batch": 1, "sequence": 4}, **quick)
    second = jt.profile(small_bert, dims={"batch": 4, "sequence": 64}, **quick)
    folders = [first.save(tmp_path / "first"), second.save(tmp_path / "second")]

    comparison = jt.compare(first, second, labels=["first", "second"])

    assert comparison.metrics["second"]["time_s"] == second.time
    assert comparison.verdicts("time_s")["second"] in ("worse", "intervals overlap")
    read_again = jt.compare(*folders, labels=["first", "second"])
    assert f"{read_again}\n" == command("compare", *folders)
    assert str(read_again) == str(comparison)


def test_metrics_of_ones_own_are_compared(small_bert: str) -> None:
    before = jt.inspect(small_bert)

    @jt.metric(name="depth", better="lower")
    def depth(result: Any) -> float:
        return float(len(result.modules))

    comparison = jt.compare(before, "resnet-18")

    assert comparison.metrics["resnet-18"]["depth"].value == len(jt.inspect("resnet-18").modules)
    assert comparison.verdicts("depth")["resnet-18"] in ("better", "worse")
    assert "Depth" in str(comparison)


def test_models_of_one_name_are_told_apart() -> None:
    assert jt.compare("resnet-18", "resnet-18").labels == ["resnet-18 (1)", "resnet-18 (2)"]
    with pytest.raises(jt.BadInput, match="labels: give 2 names that all differ"):
        jt.compare("resnet-18", "resnet-18", labels=["same", "same"])


def test_one_model_is_no_comparison() -> None:
    with pytest.raises(jt.BadInput, match="at least two models"):
        jt.compare("resnet-18")
