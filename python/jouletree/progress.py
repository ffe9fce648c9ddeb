"""How far long work is: a line that changes, on a terminal or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable

from jouletree import _interrupts

Show = Callable[[str | None], None]


def shown_progress() -> Show | None:
    """What shows a line of text, and takes it away again for None. None where nobody would see it:
    standard error goes to a file or a pipe."""
    if _in_notebook():
        return _interruptible(_NotebookLine())
    if sys.stderr is not None and sys.stderr.isatty():
        return _interruptible(_show_on_terminal)
    return None


def _interruptible(show: Show) -> Show:
    """Lets signals through that came while a line was shown. Where C++ takes the last one away
    nobody would hear of them: they wait for the end."""

    def shown(line: str | None) -> None:
        show(line)
        if line is not None:
            _interrupts.tell()

    return shown


def _show_on_terminal(line: str | None) -> None:
    print("\r\x1b[K" + (line or ""), end="", file=sys.stderr, flush=True)


class _NotebookLine:
    """One output of the cell, of which only the last text stays."""

    def __init__(self) -> None:
        self._handle: object = None

    def __call__(self, line: str | None) -> None:
        from IPython.display import HTML, Pretty, display, update_display  # type: ignore[import-not-found, unused-ignore]

        shown = HTML("") if line is None else Pretty(line)
        if self._handle is None:
            self._handle = display(shown, display_id=True)
        else:
            update_display(shown, display_id=self._handle.display_id)  # type: ignore[attr-defined]


def _in_notebook() -> bool:
    """Without importing IPython: a notebook has."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell = ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")
