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
