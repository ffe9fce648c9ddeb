"""What the tests of campaigns share: a plan of small models, and questions to its database."""

import json
import pathlib
import sqlite3
import subprocess
import sys

# Small models and one draw of operators, each measured in a fraction of a second.
PLAN = """\
name: small
models:
  - zoo: bert-l2-h128
    set: {layers: [1, 2], vocabulary: 100}
dims: {batch: 1, sequence: [8, 16]}
random_operators:
  - op: Gemm
    count: 4
    seed: 3
    draw: {rows: [4, 8, 16], width: {from: 16, to: 64, step: 16}}
    inputs: [[rows, width]]
    weights: [[width, 2*width]]
budget: 300ms
precision: 50%
baseline: 0
modules: false
"""
ITEMS = 8


def write_plan(folder, text=PLAN):
    plan = pathlib.Path(folder) / "plan.yml"
    plan.write_text(text)
    return plan


def command(program, plan, database, *more):
    return [
        program,
        "campaign",
        "run",
        str(plan),
        "--db",
        str(database),
        "--max-load",
        "none",
        *more,
    ]


def status(program, plan, database):
    words = [program, "campaign", "status", str(plan), "--db", str(database), "--format", "json"]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def is_missing_engine(result):
    """Why the tests cannot run here, as ctest's skips say it."""
    return result.returncode == 3 and "ONNX Runtime" in result.stderr


def run_whole(program, plan, database):
    """A campaign that nobody disturbs; the test is skipped where there is no engine."""
    result = subprocess.run(
        command(program, plan, database), capture_output=True, text=True, check=False
    )
    if is_missing_engine(result):
        print("skipped: no ONNX Runtime here")
        sys.exit(77)
    assert result.returncode == 0, result.stderr


def check_integrity(database):
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def rows(database, sql):
    connection = sqlite3.connect(database)
    found = connection.execute(sql).fetchall()
    connection.close()
    return found


def measured_set(database):
    """Which models were measured, each with how often: the same in every campaign of a plan."""
    return sorted(
        rows(
            database,
            "SELECT o.name, o.inputs, count(*) FROM measurements m JOIN models o ON o.id = m.model_id "
            "GROUP BY o.id",
        )
    )


def check_once(database):
    """Every finished item has one profile of its own, and every profile belongs to one item."""
    done = rows(database, "SELECT source_id FROM campaign_items WHERE state = 'done'")
    sources = [source for (source,) in done]
    assert None not in sources, "an item is done without a profile"
    assert len(set(sources)) == len(sources), "two items share a profile"
    wholes = rows(
        database,
        "SELECT source_id, count(*) FROM measurements WHERE model_id IS NOT NULL GROUP BY source_id",
    )
    assert sorted(wholes) == sorted((source, 1) for source in sources), (wholes, sources)
