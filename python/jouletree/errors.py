"""Exceptions, with the sentences that the command prints."""

from __future__ import annotations


class Error(Exception):
    """What went wrong, where, and what to do, in one sentence.

    >>> try:
    ...     jouletree.inspect("no-such-file.onnx")
    ... except jouletree.Error as error:
    ...     print(error)
    """


class Failed(Error):
    """The job ran but failed a gate or a check. The command exits with 1."""


class BadInput(Error, ValueError):
    """A file, an argument or a value that cannot be used. The command exits with 2."""


class UnknownMetric(BadInput, KeyError):
    """A result has no metric of this name."""

    __str__ = Exception.__str__


class Missing(Error):
    """Something this machine lacks: an engine, a sensor, a permission. The command exits with 3."""
