"""The examples, as users run them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import warnings
from typing import Any

import pytest

from jouletree import metrics

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def _run(script: str, *arguments: object) -> str:
    words = [sys.executable, str(EXAMPLES / "python" / script), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_count() -> None:
    printed = _run("count.py", "alexnet")

    assert printed.startswith("alexnet: 61,100,840 (counted) parameters")
    assert printed.count("(Conv)") >= 2


def test_profile_model(small_bert: str, tmp_path: pathlib.Path) -> None:
    first = _run("profile_model.py", small_bert, tmp_path / "profile", "2s")
    second = _run("profile_model.py", small_bert, tmp_path / "profile", "2s")

    assert "one inference" in first and "vs before" not in first
    assert "vs before" in second


def test_measure_training() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")

    lines = _run("measure_training.py", 2).splitlines()

    assert [line.partition(":")[0] for line in lines] == ["epoch 1", "epoch 2", "training"]
    assert all("J (" in line for line in lines)


def test_the_tour_runs_from_top_to_bottom(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 6
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "tour"}
    try:
        for cell in cells:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", category=UserWarning)
                exec(compile(cell.replace('"20s"', '"6s"'), "tour.ipynb", "exec"), names)
    finally:
        metrics._definitions.clear()
