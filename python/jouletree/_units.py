"""Arguments that say a time or a share, as text or as a number."""

from __future__ import annotations

from typing import Any

from jouletree import _core
from jouletree._arguments import kind_of
from jouletree.errors import BadInput


def seconds_of(name: str, given: float | str | None, *, zero: bool = False) -> float | None:
    """``30``, ``"30s"``, ``"2m"``."""
    if given is None:
        return None
    seconds = _core.seconds_of(name, given) if isinstance(given, str) else _number(given)
    if seconds is not None and (seconds > 0 or (zero and seconds == 0)):
        return seconds
    least = "of 0 or more, such as 2 or '2s'" if zero else "above 0, such as 60 or '60s'"
    raise BadInput(f"{name} is {_shown(given)}: give a time {least}")


def share_of(name: str, given: float | str | None) -> float | None:
    """``0.02`` or ``"2%"``."""
    if given is None:
        return None
    share = _per_cent(given) if isinstance(given, str) else _number(given)
    if share is not None and 0 < share <= 1:
        return share
    raise BadInput(
        f"{name} is {_shown(given)}: give a share above 0 and up to 1 such as 0.02, or '2%'"
    )


def _per_cent(text: str) -> float | None:
    number = text.removesuffix("%")
    try:
        return None if number == text else float(number) / 100
    except ValueError:
        return None


def _number(given: Any) -> float | None:
    """None where it is no number; truth values are none."""
    if isinstance(given, bool):
        return None
    try:
        return float(given)
    except (TypeError, ValueError, RuntimeError):  # Of tensors that hold several.
        return None


def _shown(given: Any) -> str:
    """Arrays and tensors take many lines."""
    return kind_of(given) if hasattr(given, "shape") else repr(given)
