"""Arguments are looked at before anything runs: what cannot be used is named, with what to give."""

from __future__ import annotations

import importlib
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jouletree.errors import BadInput

#: What functions take as further arguments where the model is a live one of PyTorch.
_OF_TORCH = ("mode", "loss", "target", "optimizer", "kwargs", "context", "device", "name")


def refuse_unknown(function: Callable[..., Any], further: Mapping[str, Any]) -> None:
    """Those of the further arguments of a function that nothing knows."""
    for name in further:
        if name in _OF_TORCH:
            continue
        known = [*importlib.import_module("inspect").signature(function).parameters, *_OF_TORCH]
        likely = importlib.import_module("difflib").get_close_matches(name, known, n=1)
        meant = f"; did you mean {likely[0]}?" if likely else ""
        raise BadInput(f"{name}: {function.__name__} has no such argument{meant}")


def whole_number(name: str, given: Any, lowest: int, highest: int | None = None) -> int:
    """Numbers of NumPy are as good as Python's."""
    try:
        number = operator.index(given)
    except TypeError:
        number = lowest - 1
    if isinstance(given, bool) or number < lowest or (highest is not None and number > highest):
        span = f"{lowest} or more" if highest is None else f"from {lowest} to {highest}"
        raise BadInput(f"{name} is {given!r}: give a whole number, {span}")
    return number


def truth(name: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise BadInput(f"{name} is {given!r}: give True or False")
    return given


def one_of(name: str, given: Any, words: Sequence[str]) -> str:
    if given not in words:
        known = ", ".join(repr(word) for word in words)
        raise BadInput(f"{name} is {given!r}; it takes one of {known}")
    return str(given)


def by_names(name: str, given: Any, example: str) -> dict[str, Any]:
    """What a mapping holds; nothing where there is none."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadInput(f"{name} is {given!r}: give a dictionary, such as {example}")
    return dict(given)


def path_of(name: str, given: Any, what: str) -> str:
    """`what` tells what to give in the place of something that is no path."""
    if not isinstance(given, (str, os.PathLike)):
        raise BadInput(f"{name} is {kind_of(given)}: give {what}")
    return os.fspath(given)


def kind_of(given: Any) -> str:
    """ "None", "an int", "a Tensor"."""
    if given is None:
        return "None"
    kind = type(given).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
