"""How far long work is."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import types
from typing import Any

import pytest

from jouletree import progress

SLOW = "import jouletree; jouletree.profile({model!r}, budget='4s', baseline=0, modules=False)"


def _run_on_terminal(code: str) -> tuple[int, str]:
    """Runs Python with standard error on a terminal, and returns what appears there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", code], stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # How Linux says that the other side is closed.
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return process.wait(timeout=60), shown.decode()


def test_a_terminal_shows_a_line_and_takes_it_away(small_bert: str) -> None:
    code, shown = _run_on_terminal(SLOW.format(model=small_bert))

    assert code == 0
    assert " %" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


def test_a_pipe_shows_nothing(small_bert: str) -> None:
    words = [sys.executable, "-c", SLOW.format(model=small_bert)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert done.stderr == ""


def test_a_notebook_shows_one_output_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str]] = []

    class Handle:
        display_id = "line"

    def display(shown: str, display_id: bool) -> Handle:
        seen.append(("display", shown))
        return Handle()

    def update(shown: str, display_id: str) -> None:
        seen.append((f"update {display_id}", shown))

    ipython: Any = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    shows: Any = types.ModuleType("IPython.display")
    shows.HTML = shows.Pretty = str
    shows.display, shows.update_display = display, update
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shows)

    show = progress.shown_progress()
    assert show is not None
    for line in ("operators: 10 %", "operators: 90 %", None):
        show(line)

    assert seen == [
        ("display", "operators: 10 %"),
        ("update line", "operators: 90 %"),
        ("update line", ""),
    ]
