"""docs/python.md: every piece of code runs, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import warnings
from typing import Any

import pytest

from jouletree import metrics

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
PIECE = re.compile(r"```python\n(.*?)```(?:\n\n```text(| exact)\n(.*?)```)?", re.DOTALL)


def test_the_page_about_python_is_right(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = PIECE.findall(PAGE.read_text())
    assert len(pieces) > 8
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "docs"}
    try:
        for code, exact, expected in pieces:
            # What the page shows was measured with more patience.
            code = code.replace('budget="20s"', 'budget="6s", baseline=0')
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(code, str(PAGE), "exec"), names)
            if exact:
                assert printed.getvalue() == expected
            else:
                assert bool(printed.getvalue()) == bool(expected)
    finally:
        metrics._definitions.clear()
