"""Pages of results, in files and in the frames of notebooks."""

from __future__ import annotations

import base64
import gzip
import html
import json
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import jouletree as jt
from jouletree import _frame, metrics

PROFILES = pathlib.Path(__file__).parents[2] / "tests/golden/scripted_profiles"
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


@pytest.fixture(autouse=True)
def as_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("JOULETREE_FRAMES", raising=False)
    yield
    jt.options._frames = None
    metrics._definitions.clear()


def data_of(page: str) -> dict[str, Any]:
    found = DATA.search(page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def framed_page(shown: str) -> str:
    frame = re.search(r"<iframe ([^>]*) srcdoc=\"([^\"]*)\"", shown)
    assert frame and "sandbox='allow-scripts allow-downloads'" in frame[1]
    packed = re.search(r'id="packed">(.*?)</script>', html.unescape(frame[2]))
    assert packed
    return gzip.decompress(base64.b64decode(packed[1])).decode()


def test_a_page_has_the_data_that_the_command_writes(
    tmp_path: pathlib.Path, command: Callable[..., str]
) -> None:
    file = jt.load(PROFILES / "steady").report(tmp_path / "one.html")

    written = data_of(file.read_text())
    expected = json.loads(command("report", PROFILES / "steady", "--format", "json", "-o", "-"))
    assert written["items"] == expected["items"]

    both = jt.report([jt.load(PROFILES / "steady"), PROFILES / "busy"], tmp_path / "both.html")
    folders = [PROFILES / name for name in ("steady", "busy")]
    expected = json.loads(command("report", *folders, "--format", "json", "-o", "-"))
    compared = data_of(both.read_text())["comparison"]
    assert compared["differences"][0]["rows"] == expected["comparison"]["differences"][0]["rows"]


def test_differences_on_a_page_are_those_of_the_comparison(tmp_path: pathlib.Path) -> None:
    comparison = jt.compare(
        jt.load(PROFILES / "steady"),
        jt.load(PROFILES / "short_of_time"),
        labels=["before", "after"],
    )
    data = data_of(comparison.report(tmp_path / "compared.html").read_text())

    assert data["comparison"]["labels"] == ["before", "after"]
    (shown,) = data["comparison"]["differences"]
    rows, texts = shown["rows"], shown["rows"]["texts"]
    told = json.loads(comparison.to_json())["differences"]
    assert [texts[name] for name in rows["name"]] == [row["name"] for row in told]
    for column, key in (("a", "a"), ("b", "b"), ("ratio", "ratio"), ("low", "low"), ("p", "p")):
        expected = [row[key] for row in told]
        assert rows[column] == [one if one is None else float(f"{one:.9g}") for one in expected]
    assert rows["significant"] == [row["significant"] for row in told]


def test_every_result_shows_as_its_page(
    small_bert: str, tmp_path: pathlib.Path, command: Callable[..., str]
) -> None:
    steady = jt.load(PROFILES / "steady")
    study = jt.sweep(
        small_bert,
        dims={"sequence": [8, 16], "batch": 1},
        folder=tmp_path / "study",
        runs=1,
        seconds=0.2,
        warm_up="50ms",
        cool_down=0,
        baseline="100ms",
    )
    with pytest.warns(jt.PredictionWarning):
        predictor = jt.train(steady)
        prediction = jt.predict(predictor, small_bert, dims={"batch": 1, "sequence": 8})
    results = {
        "profile": steady,
        "counted": jt.compare(small_bert, "resnet-18"),
        "sweep": study,
        "predicted": prediction,
    }
    for kind, result in results.items():
        shown = result._repr_html_()
        assert {item["kind"] for item in data_of(framed_page(shown))["items"]} == {kind}
        assert "<div class='jouletree'>" in shown.partition("</iframe>")[2]
        assert len(shown) < 300_000


def test_frames_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    steady = jt.load(PROFILES / "steady")
    assert "<iframe" in steady._repr_html_()

    monkeypatch.setenv("JOULETREE_FRAMES", "0")
    assert "<iframe" not in steady._repr_html_() and "<td>Energy</td>" in steady._repr_html_()
    jt.options.frames = True
    assert "<iframe" in steady._repr_html_()
    jt.options.frames = False
    assert "<iframe" not in steady._repr_html_()
    with pytest.raises(jt.BadInput, match="frames is 'no'"):
        jt.options.frames = "no"  # type: ignore[assignment]


def test_the_table_alone_is_shown_where_there_is_no_page_or_a_large_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def page_of(subjects: Any) -> tuple[str, list[str]]:
        raise jt.Missing("this program was built without the page of reports")

    steady = jt.load(PROFILES / "steady")
    with monkeypatch.context() as small:
        small.setattr(_frame, "_MOST_BYTES", 1000)
        shown = steady._repr_html_()
        assert "<iframe" not in shown and "too large for a notebook; .report(" in shown
    monkeypatch.setattr(_frame, "page_of", page_of)
    assert steady._repr_html_() == steady._small()


def test_metrics_of_ones_own_are_on_the_page(tmp_path: pathlib.Path) -> None:
    @jt.metric(name="twice_the_time", unit="s", better="lower")
    def twice_the_time(result: Any) -> float | None:
        return 2 * float(result.metrics["time_s"])

    page = jt.load(PROFILES / "steady").report(tmp_path / "page.html").read_text()
    (own,) = [
        one for one in data_of(page)["items"][0]["metrics"] if one["name"] == "twice_the_time"
    ]
    assert own["value"] == pytest.approx(0.021)


def test_what_cannot_be_shown_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match=r"^report: cannot show an int"):
        jt.report(3, tmp_path / "page.html")
    with pytest.raises(jt.BadInput, match=r"^report: give at least one result"):
        jt.report([], tmp_path / "page.html")
    with pytest.raises(jt.BadInput, match="nowhere"):
        jt.report(tmp_path / "nowhere", tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
    with pytest.warns(jt.ReportWarning, match="nowhere"):
        jt.report([PROFILES / "steady", tmp_path / "nowhere"], tmp_path / "page.html")
    assert (tmp_path / "page.html").exists()
