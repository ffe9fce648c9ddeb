"""Training, predicting and checking predictors."""

from __future__ import annotations

import json
import pathlib
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import jouletree as jt

Command = Callable[..., str]
MODELS = ("resnet-18", "resnet-34", "alexnet", "vgg-11")


def _cost(node: dict[str, Any]) -> tuple[float, float]:
    """What a machine would have measured: so many seconds and joules for the work."""
    children = [_cost(child) for child in node["child_nodes_obj"]]
    if children:
        seconds, joules = (sum(column) for column in zip(*children, strict=True))
    else:
        seconds = 1e-6 + 2e-5 * node["flops"] + 1e-4 * node["mem_bytes"]
        joules = 30 * seconds
    node["times_mean"], node["ground_truth_energy"] = seconds, joules
    return seconds, joules


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Runs of four models on a machine whose prices are known."""
    folder = tmp_path_factory.mktemp("runs")
    lines = []
    for name in MODELS:
        for batch in (1, 4):
            file = jt.inspect(name, dims={"batch": batch}).save(folder / "run.jsonl")
            run = json.loads(file.read_text())
            _cost(run["frontend_tree"])
            lines.append(json.dumps(run))
    runs = folder / "runs.jsonl"
    runs.write_text("\n".join(lines) + "\n")
    return str(runs)


@pytest.fixture(scope="module")
def predictor_file(data: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("predictor") / "machine.json"
    predictor = jt.train(data, file)
    assert sorted(predictor.models) == sorted(MODELS)
    assert repr(predictor).startswith("<ledger trained on 8 runs of 4 models")
    assert predictor.measured_on is None
    return str(file)


def test_training_writes_what_the_command_writes(
    data: str, predictor_file: str, tmp_path: pathlib.Path, command: Command
) -> None:
    other = tmp_path / "machine.json"
    command("train", data, "-o", other)

    assert pathlib.Path(predictor_file).read_text() == other.read_text()


def test_a_prediction_prints_as_the_command_and_has_intervals(
    predictor_file: str, command: Command
) -> None:
    prediction = jt.predict(predictor_file, "resnet-50", dims={"batch": 2})

    words = ("predict", predictor_file, "resnet-50", "--dim", "batch=2")
    assert f"{prediction}\n" == command(*words)
    assert prediction.to_json() == command(*words, "--format", "json")
    energy = prediction.energy
    assert energy.value is not None and energy.low is not None and energy.high is not None
    assert energy.low <= energy.value <= energy.high
    assert (energy.unit, energy.provenance) == ("J", "predicted")
    assert prediction.time.provenance == "predicted"
    assert prediction.nodes[0].energy == energy
    assert "<td>Energy</td>" in prediction._repr_html_()


def test_inspections_and_bytes_are_predicted_as_their_files(
    predictor_file: str, tmp_path: pathlib.Path, command: Command
) -> None:
    file = tmp_path / "model.onnx"
    command("zoo", "build", "resnet-18", "--set", "size=96", "-o", file)
    by_file = jt.predict(predictor_file, file)

    inspection = jt.inspect(file)
    assert jt.predict(predictor_file, inspection).energy == by_file.energy
    assert jt.predict(predictor_file, inspection).energy == by_file.energy  # It is still whole.
    assert str(inspection) == str(jt.inspect(file))
    assert jt.predict(predictor_file, file.read_bytes()).energy == by_file.energy


def test_measured_data_are_filled(data: str, predictor_file: str, tmp_path: pathlib.Path) -> None:
    prediction = jt.predict(predictor_file, data, features="specs")

    filled = prediction.save(tmp_path / "filled.jsonl").read_text().splitlines()

    assert len(prediction.runs) == len(filled) == 8
    root = json.loads(filled[0])["frontend_tree"]
    assert root["predicted_energy"] == pytest.approx(prediction.runs[0]["energy_j"].value)


def test_crossvalidation_prints_as_the_command(
    data: str, tmp_path: pathlib.Path, spoken: Command
) -> None:
    report = jt.crossvalidate(data, features="specs")

    assert f"{report}\n" == spoken("crossvalidate", data, "--features", "specs")
    assert {fold["left_out"] for fold in report.folds} == set(MODELS)
    assert report.overall["model"] is not None and report.overall["model"] < 20
    assert report.intervals["level"] == 0.9
    page = report.report(tmp_path / "page.html").read_text()
    assert '"kind":"crossvalidation","label":"cross-validation"' in page
    assert "<iframe" in report._repr_html_()


def test_crossvalidation_keeps_its_folds(data: str, tmp_path: pathlib.Path) -> None:
    report = jt.crossvalidate(data, output=tmp_path / "folds")

    model = report.statistics["energy"]["model"]
    assert model["values"] == 8 and model["median"] is not None
    assert json.loads(report.to_json())["features"] == "specs"
    kept = sorted(tmp_path.glob("folds/*/predictor.json"))
    assert len(kept) == len(report.folds)
    assert jt.predict(kept[0], data, features="specs").energy.value
    assert (tmp_path / "folds" / "crossvalidation.json").read_text() == report.to_json()
    with pytest.raises(jt.BadInput, match="not empty; name a new folder"):
        jt.crossvalidate(data, output=tmp_path / "folds")


def test_what_the_reader_must_know_is_a_warning(data: str, tmp_path: pathlib.Path) -> None:
    first = tmp_path / "one.jsonl"
    first.write_text(pathlib.Path(data).read_text().splitlines()[0] + "\n")

    with pytest.warns(jt.PredictionWarning, match="intervals need at least two models"):
        jt.train(first)


def test_a_predictor_is_adapted_to_another_device(data: str, predictor_file: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adapted = jt.train(data, adapt=predictor_file, runs=2)

    assert [note for note in adapted.notes if note.startswith("adapted to")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"method": "magic"}, "method is 'magic'; it takes one of 'ledger'"),
        ({"features": "some"}, "features is 'some'; it takes one of 'all'"),
        ({"level": 2}, "level is 2: give a share"),
        ({"leave_out": "one"}, "leave_out is 'one'"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(
    data: str, arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(jt.BadInput, match=sentence):
        jt.crossvalidate(data, **arguments)


def test_files_that_cannot_be_used_are_named(tmp_path: pathlib.Path, predictor_file: str) -> None:
    with pytest.raises(jt.BadInput, match=r"absent\.json"):
        jt.predict(tmp_path / "absent.json", "resnet-18")
    with pytest.raises(jt.BadInput, match=r"resnt-18: .* a name of the zoo .* resnet-18"):
        jt.predict(predictor_file, "resnt-18")
    with pytest.raises(jt.BadInput, match="holds no profile"):
        jt.train(tmp_path)
    with pytest.raises(jt.BadInput, match="at least one"):
        jt.train([])


def test_what_is_no_data_is_named(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with pytest.raises(jt.BadInput, match="data is None: give at least one tree file"):
        jt.train(None)  # type: ignore[arg-type]
    with pytest.raises(jt.BadInput, match=r"data\[0\] is an Inspection: give at least"):
        jt.train([jt.inspect("resnet-18")])  # type: ignore[list-item]
    with pytest.raises(jt.BadInput, match="data is empty"):
        jt.crossvalidate([])
    assert list(tmp_path.iterdir()) == []


def test_without_a_predictor_the_calibration_of_this_machine_predicts(
    predictor_file: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(jt.Missing, match="jouletree calibrate"):
        jt.predict("resnet-50")
    with pytest.raises(jt.Missing, match="jouletree calibrate --threads 2"):
        jt.predict("resnet-50", threads=2)
    kept = _placed(predictor_file, tmp_path / "jouletree/calibrations/here.json")

    prediction = jt.predict("resnet-50")

    assert prediction.time == jt.predict(kept, "resnet-50").time
    assert prediction.predictor["is_calibration_of_here"]
    assert prediction.predictor["name"] == str(kept)
    assert "calibration of this machine" in str(prediction)
    assert jt.predict(jt.inspect("resnet-50")).time == prediction.time
    with pytest.raises(jt.Missing, match=r"\(--threads 1\)"):
        jt.predict("resnet-50", threads=2)


def test_a_predictor_of_elsewhere_says_so(predictor_file: str, tmp_path: pathlib.Path) -> None:
    elsewhere = _placed(predictor_file, tmp_path / "p.json", "Slow CPU")
    with pytest.warns(jt.PredictionWarning, match="is for another machine"):
        prediction = jt.predict(elsewhere, "resnet-50")
    assert prediction.predictor["differs_from_here"] == ["machine"]
    places = prediction.predictor["measured_on"]
    assert places[0]["machine"] == "Slow CPU"
    with pytest.raises(jt.BadInput, match="measured with 1 thread"):
        jt.predict(elsewhere, "resnet-50", threads=4)


def _placed(predictor_file: str, path: pathlib.Path, machine: str | None = None) -> pathlib.Path:
    """The same predictor, as if it had been measured with one thread, on a machine that is named
    or not."""
    content = json.loads(pathlib.Path(predictor_file).read_text())
    place: dict[str, Any] = {"machine": machine, "threads": 1, "runs": 8}
    for key in ("machine_key", "system", "engine", "engine_version", "device", "level"):
        place[key] = None
    for key in ("execution", "from", "to"):
        place[key] = None
    content["trained_on"]["measured_on"] = [place]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def test_what_is_no_predictor_is_named() -> None:
    with pytest.raises(jt.BadInput, match=r"predictor is None: give what jouletree.train returns"):
        jt.predict(None, "resnet-18")  # type: ignore[arg-type]


def test_whole_models_in_a_table_teach(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "models.csv"
    rows = [
        f"|{first}~0|+|none~0|{second}~1|+|skip_connect~0|none~1|{first}~2|,{3 + 2 * place}"
        for place, (first, second) in enumerate(
            (first, second)
            for first in ("none", "avg_pool_3x3", "nor_conv_1x1", "nor_conv_3x3")
            for second in ("skip_connect", "nor_conv_1x1", "nor_conv_3x3")
        )
    ]
    table.write_text("arch_str,latency_ms\n" + "\n".join(rows) + "\n")
    settings = {"size": 8, "cells": 1, "classes": 100}

    predictor = jt.train(table, settings=settings, layout="plain")
    filled = tmp_path / "filled.csv"
    jt.predict(predictor, table, settings=settings).save(filled)

    assert len(predictor.models) == len(rows)
    assert "predicted_time_s" in filled.read_text()
    assert len(filled.read_text().splitlines()) == len(rows) + 1
    with pytest.raises(jt.BadInput, match="no model of this table has such a setting"):
        jt.train(table, settings={"colour": 3})
