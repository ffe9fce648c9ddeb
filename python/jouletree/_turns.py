"""One measurement at a time: two at once would slow each other down, and change the same settings.

Example:
    >>> with turn(show):
    ...     measure(model)
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

from jouletree.progress import Show

_turn = threading.RLock()
# Short enough for Ctrl-C, which comes between two looks.
_PATIENCE_S = 0.2


def _forget_turn() -> None:
    """A process that is forked meanwhile would wait for a thread that it does not have."""
    global _turn
    _turn = threading.RLock()


os.register_at_fork(after_in_child=_forget_turn)


@contextlib.contextmanager
def turn(show: Show | None) -> Iterator[None]:
    """Waits until no other thread measures, and says so."""
    mine = _turn
    if not mine.acquire(blocking=False):
        _wait(mine, show)
    try:
        yield
    finally:
        mine.release()


def _wait(mine: threading.RLock, show: Show | None) -> None:
    if show is not None:
        show("waiting for another profile of this program to end")
    try:
        while not mine.acquire(timeout=_PATIENCE_S):
            pass
    finally:
        if show is not None:
            show(None)
