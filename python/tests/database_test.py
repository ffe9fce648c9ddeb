"""Databases of measurements."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable

import pytest

import jouletree as jt

Command = Callable[..., str]
TABLE = "model,latency_ms,energy_mj\nsmall,1.5,20\nlarge,3,\n"


@pytest.fixture
def filled(tmp_path: pathlib.Path) -> jt.Database:
    (tmp_path / "models.csv").write_text(TABLE)
    database = jt.Database(tmp_path / "measured.sqlite")
    imported = database.import_files(tmp_path / "models.csv", machine="board", engine="ours")
    assert [one["measurements"] for one in imported] == [2]
    return database


def test_tables_are_read_row_by_row(filled: jt.Database) -> None:
    assert len(filled.models) == 2
    assert {model["name"] for model in filled.models} == {"small", "large"}
    assert [machine["name"] for machine in filled.machines] == ["board"]
    assert len(filled.operators) == 0 and list(filled.runs) == []
    seconds = sorted(one["time_s"] for one in filled.measurements)
    assert seconds == [0.0015, 0.003]


def test_queries_give_dicts(filled: jt.Database) -> None:
    rows = filled.query(
        "SELECT m.name, x.energy_j FROM measurements x JOIN models m ON m.id = x.model_id "
        "ORDER BY m.name"
    )

    assert rows.columns == ["name", "energy_j"]
    assert rows == [{"name": "large", "energy_j": None}, {"name": "small", "energy_j": 0.02}]


def test_tables_of_pandas(filled: jt.Database) -> None:
    pandas = pytest.importorskip("pandas")
    frame = filled.query("SELECT name FROM models ORDER BY name").to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["name"]) == ["large", "small"]
    assert len(filled.measurements.to_pandas()) == 2
    assert list(filled.operators.to_pandas().columns)[:3] == ["id", "key", "op"]


def test_says_what_the_command_says(filled: jt.Database, command: Command) -> None:
    printed = command("db", "stats", "--db", filled.location, "--format", "json")
    assert filled.stats() == json.loads(printed)


def test_imports_once(filled: jt.Database, tmp_path: pathlib.Path) -> None:
    again = filled.import_files(tmp_path / "models.csv")
    assert again[0]["was_there"] and len(filled.measurements) == 2
    assert filled.import_files([tmp_path / "models.csv"]) == again


def test_refuses_what_it_cannot_do(filled: jt.Database, tmp_path: pathlib.Path) -> None:
    with pytest.raises(jt.BadInput, match="syntax error"):
        filled.query("SELEC 1")
    with pytest.raises(jt.BadInput):
        filled.query("DELETE FROM models")
    with pytest.raises(jt.BadInput, match="there is no database"):
        len(jt.Database(tmp_path / "missing.sqlite").models)
    (tmp_path / "bad.csv").write_text("model,latency_ms\na,fast\n")
    with pytest.raises(jt.BadInput, match="line 2, column latency_ms: 'fast' is not a number"):
        filled.import_files(tmp_path / "bad.csv")


def test_models_are_found_by_name(filled: jt.Database) -> None:
    small = filled["small"]
    assert isinstance(small, jt.StoredModel)
    assert small.metrics["energy_j"].value == pytest.approx(0.02)
    assert small.metrics["energy_j"].provenance == "measured"
    assert filled["large"].metrics["energy_j"].value is None, "an empty field is unknown"
    assert small.place.startswith(f"{filled.location}#small@source=")
    assert small.date is None
    with pytest.raises(jt.BadInput, match="holds no model 'smal'; there are: small, large"):
        filled["smal"]
    with pytest.raises(jt.BadInput, match="names no model"):
        filled[0]  # type: ignore[index]


def test_models_of_databases_are_compared(filled: jt.Database, command: Command) -> None:
    entries = [f"{filled.location}#large", f"sqlite:{filled.location}#small"]
    compared = jt.compare(*entries)
    assert compared.labels == ["large", "small"]
    assert compared.metrics["small"]["time_s"].value == 0.0015
    assert compared.to_json() == command("compare", *entries, "--format", "json")
    assert str(jt.compare(filled["large"], filled["small"])) == str(compared)
    assert jt.compare(filled).labels == jt.compare(pathlib.Path(filled.location)).labels
    mixed = jt.compare(filled["small"], "resnet-18")
    assert mixed.metrics["resnet-18"]["time_s"].value is None


def test_metrics_of_ones_own_see_models_of_databases(filled: jt.Database) -> None:
    @jt.metric(name="halved_s", unit="s", better="lower")
    def halved(model: jt.StoredModel) -> float | None:
        seconds = model.metrics["time_s"].value
        return None if seconds is None else seconds / 2

    try:
        compared = jt.compare(filled["large"], filled["small"])
        assert compared.metrics["small"]["halved_s"].value == 0.00075
    finally:
        jt.remove_metric("halved_s")


def test_keys_stay_whole_numbers_beside_empty_cells(filled: jt.Database) -> None:
    pytest.importorskip("pandas")
    frame = filled.query(f"SELECT {2**62 + 1} AS id UNION ALL SELECT NULL ORDER BY 1").to_pandas()
    assert frame["id"].dropna().tolist() == [2**62 + 1]
    assert frame["id"].isna().tolist().count(True) == 1
    measured = filled.measurements.to_pandas()
    assert measured["time_s"].dtype == float and measured["model_id"].dtype.kind == "i"


def test_equal_names_of_columns_are_refused(filled: jt.Database) -> None:
    with pytest.raises(jt.BadInput, match="two columns of the result are called name"):
        filled.query("SELECT a.name, b.name FROM models a, models b")


@pytest.mark.parametrize("wrong", [None, 3, b"SELECT 1"])
def test_sql_that_is_no_text_is_refused(filled: jt.Database, wrong: object) -> None:
    with pytest.raises(jt.BadInput, match="give a text such as"):
        filled.query(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["", 3, ["a.sqlite"]])
def test_what_names_no_place_is_refused(wrong: object) -> None:
    with pytest.raises(jt.BadInput, match=r"location is .*give 'sqlite:FILE'"):
        jt.Database(wrong)  # type: ignore[arg-type]


def test_notebooks_show_how_much_there_is(filled: jt.Database, tmp_path: pathlib.Path) -> None:
    assert "measurements</td><td class='number'>2</td>" in filled._repr_html_()
    assert "there is no database" in jt.Database(tmp_path / "none.sqlite")._repr_html_()
