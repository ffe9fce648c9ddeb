"""Warnings that point at the user's line, however deep in the package they are found."""

from __future__ import annotations

import sys
import warnings

# What stands between two functions of the package is no user's, either.
_NOT_THE_USERS = ("jouletree", "functools", "contextlib")


def warn(text: str, category: type[Warning]) -> None:
    """Warns as of the line that called the package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and _module_of(frame.f_globals) in _NOT_THE_USERS:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def _module_of(names: dict[str, object]) -> str:
    return str(names.get("__name__", "")).partition(".")[0]
