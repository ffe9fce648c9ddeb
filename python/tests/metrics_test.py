"""Metrics of one's own."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import jouletree as jt
from jouletree import metrics


@pytest.fixture(autouse=True)
def no_metrics_of_others() -> Iterator[None]:
    yield
    metrics._definitions.clear()


def test_a_metric_joins_the_others(small_bert: str) -> None:
    @jt.metric(name="macs_per_param", unit="1", better="lower", title="MACs per parameter")
    def macs_per_param(result: Any) -> float:
        """How often a parameter is used."""
        return float(result.metrics["macs"]) / float(result.metrics["params"])

    result = jt.inspect(small_bert)

    own = result.metrics["macs_per_param"]
    assert own.value == macs_per_param(result)
    assert own.provenance == "counted"
    assert "MACs per parameter" in str(result)
    shown = json.loads(result.to_json())["metrics"]["macs_per_param"]
    assert shown["source"] == __name__
    assert "<td>MACs per parameter</td>" in result._repr_html_()


def test_a_metric_sees_operators_and_modules(small_bert: str) -> None:
    @jt.metric(name="largest")
    def largest(result: Any) -> float:
        assert result.modules and result.notes
        return float(max(op.macs.value for op in result.operators))

    result = jt.inspect(small_bert)

    assert result.metrics["largest"].value == max(op.macs.value or 0 for op in result.operators)
    assert "largest" in json.loads(result.to_json())["metrics"]


def test_a_metric_that_fails_is_named_and_the_others_are_shown(small_bert: str) -> None:
    @jt.metric(name="broken")
    def broken(result: Any) -> float:
        raise RuntimeError("no luck")

    @jt.metric(name="endless")
    def endless(result: Any) -> float:
        return float("inf")

    @jt.metric(name="fine")
    def fine(result: Any) -> float:
        return 42

    with pytest.warns(jt.MetricWarning) as warned:
        result = jt.inspect(small_bert)

    assert all(one.filename == __file__ for one in warned), "it points at this line"
    assert "metric 'broken'" in str(warned[0].message)
    assert "RuntimeError: no luck" in str(warned[0].message)
    assert result.metrics["broken"].value is None
    assert result.metrics["broken"].failure == "it raised RuntimeError: no luck"
    assert result.metrics["endless"].failure == "it returned infinity"
    assert result.metrics["fine"].value == 42
    assert "no luck" in str(result)


def test_what_cannot_be_known_is_no_failure(small_bert: str) -> None:
    @jt.metric(name="unknown")
    def unknown(result: Any) -> None:
        return None

    own = jt.inspect(small_bert).metrics["unknown"]
    assert (own.value, own.failure) == (None, None)


def test_a_built_in_metric_is_replaced_only_when_asked(small_bert: str) -> None:
    with pytest.raises(jt.BadInput, match="give override=True to replace it"):

        @jt.metric(name="macs")
        def macs(result: Any) -> float:
            return 1

    with pytest.raises(jt.BadInput, match=r"built-in metric 'time_s' \(Time\)"):
        jt.metric(name="time_s")(lambda result: 1)

    @jt.metric(name="macs", override=True)
    def other_macs(result: Any) -> float:
        return 2 * float(result.metrics["macs"])

    before = sum(op.macs.value or 0 for op in jt.inspect(small_bert).operators)
    assert jt.inspect(small_bert).metrics["macs"].value == 2 * before
    assert "overrides the built-in" in str(jt.inspect(small_bert))
    with pytest.raises(jt.BadInput, match="there is none of that name"):

        @jt.metric(name="makks", override=True)
        def makks(result: Any) -> float:
            return 1


def test_two_functions_cannot_give_the_same_metric(small_bert: str) -> None:
    def define(value: float) -> None:
        @jt.metric(name="mine")
        def mine(result: Any) -> float:
            return value

    define(1)
    define(2)  # The cell of a notebook that is run again.
    assert jt.inspect(small_bert).metrics["mine"].value == 2
    with pytest.raises(jt.BadInput, match="both give a metric 'mine'"):

        @jt.metric(name="mine")
        def another(result: Any) -> float:
            return 3

    jt.remove_metric("mine")
    assert "mine" not in jt.inspect(small_bert).metrics
    with pytest.raises(jt.BadInput, match="no metric of your own"):
        jt.remove_metric("mine")


def test_a_warning_points_at_the_users_line_however_the_result_is_made(
    small_bert: str, tmp_path: pathlib.Path
) -> None:
    @jt.metric(name="broken")
    def broken(result: Any) -> float:
        raise RuntimeError("no luck")

    def line() -> int:
        return sys._getframe(1).f_lineno

    def profile() -> jt.Profile:
        return jt.profile(small_bert, budget="1s", baseline=0, modules=False)

    with pytest.warns(jt.MetricWarning):
        saved = profile().save(tmp_path / "saved")
    for make in (
        lambda: (jt.inspect(small_bert), line()),
        lambda: (jt.compare(small_bert, "resnet-18"), line()),
        lambda: (jt.load(saved), line()),
    ):
        with pytest.warns(jt.MetricWarning) as warned:
            _, expected = make()
        assert {(one.filename, one.lineno) for one in warned} == {(__file__, expected)}


@pytest.mark.parametrize("word", ["lower", "higher", "neither", "less", "more"])
def test_better_is_said_in_the_words_of_the_catalogue(
    word: str, command: Callable[..., str]
) -> None:
    jt.metric(name="own", better=word)(lambda result: len(result.name))
    known = {row["better"] for row in json.loads(command("metrics", "--format", "json"))["metrics"]}
    assert known == {"lower", "higher", "neither"}
    verdict = jt.compare("resnet-18", "bert-base-uncased").verdicts("own")["bert-base-uncased"]
    expected = {"lower": "worse", "less": "worse", "neither": "different"}
    assert verdict == expected.get(word, "better")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"name": "Bad Name"}, "a name consists of a-z, 0-9 and _"),
        (
            {"name": "fine", "better": "smaller"},
            "better is 'smaller'; give 'lower', 'higher' or 'neither'",
        ),
        ({"name": "fine", "unit": ""}, "has no unit"),
        ({"name": "fine", "provenance": "guessed"}, "provenance is 'guessed'"),
    ],
)
def test_definitions_that_cannot_be_used_are_refused(
    arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(jt.BadInput, match=sentence):
        jt.metric(**arguments)(lambda result: 1)


def test_a_metric_without_a_name_is_told_how_to_get_one() -> None:
    with pytest.raises(jt.BadInput, match=r"write @jouletree.metric\(name='…'\)"):

        @jt.metric  # type: ignore[arg-type]
        def nameless(_result: Any) -> float:
            return 1.0

    with pytest.raises(jt.BadInput, match="a metric needs a name"):
        jt.metric()
