"""Arguments that say a time or a share, as text or as a number."""

from __future__ import annotations

from jouletree import _core
from jouletree.errors import BadInput


def seconds_of(name: str, given: float | str | None, *, zero: bool = False) -> float | None:
    """``30``, ``"30s"``, ``"2m"``."""
    if given is None:
        return None
    seconds = _core.seconds_of(name, given) if isinstance(given, str) else float(given)
    if seconds > 0 or (zero and seconds == 0):
        return seconds
    raise BadInput(f"{name} is {given!r}: give a time above 0, such as 60 or '60s'")


def share_of(name: str, given: float | str | None) -> float | None:
    """``0.02`` or ``"2%"``."""
    if not isinstance(given, str):
        return given
    number = given.removesuffix("%")
    try:
        if number == given:
            raise ValueError
        return float(number) / 100
    except ValueError:
        raise BadInput(
            f"{name} is {given!r}: give a share above 0 and up to 1 such as 0.02, or '2%'"
        ) from None
