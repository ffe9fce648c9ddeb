"""docs/pytorch.md: every piece of code runs, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "pytorch.md"
PIECE = re.compile(r"```python\n(.*?)```(?:\n\n```text(| exact)\n(.*?)```)?", re.DOTALL)


def test_the_page_about_pytorch_is_right(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = PIECE.findall(PAGE.read_text())
    assert len(pieces) == 4
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "docs"}
    for code, exact, expected in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), names)
        if exact:
            assert printed.getvalue() == expected
        else:
            assert bool(printed.getvalue()) == bool(expected)
    assert {file.name for file in tmp_path.iterdir()} == {"per_layer.csv", "layer_times.csv"}
