"""Counting a model: parameters, MACs, FLOPs, bytes and memory, without running it."""

from __future__ import annotations

import os

from jouletree import _core


class Inspection:
    """A counted model. Prints as ``jouletree inspect`` prints."""

    def __init__(self, counted: _core.CountedModel) -> None:
        self._counted = counted

    def __str__(self) -> str:
        return self._counted.table().rstrip("\n")

    __repr__ = __str__


def inspect(model: str | os.PathLike[str]) -> Inspection:
    """Counts a model."""
    return Inspection(_core.inspect_file(os.fspath(model)))
