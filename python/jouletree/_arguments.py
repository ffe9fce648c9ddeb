"""Arguments are looked at before anything runs: what cannot be used is named, with what to give."""

from __future__ import annotations

import functools
import importlib
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from jouletree.errors import BadInput

#: What functions take as further arguments where the model is a live one of PyTorch.
_OF_TORCH = ("mode", "loss", "target", "optimizer", "kwargs", "context", "device", "name")


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def checked_call(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """A public function whose wrong calls raise BadInput, as all other mistakes do."""

    @functools.wraps(function)
    def called(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            trace = error.__traceback__
            if trace is not None and trace.tb_next is not None:
                raise  # The function began, and something in it raised.
            raise _wrong_call(function, args, kwargs, error) from None

    return called


def _wrong_call(
    function: Callable[..., Any],
    args: Sequence[Any],
    given: Mapping[str, Any],
    error: TypeError,
) -> BadInput:
    parameters = importlib.import_module("inspect").signature(function).parameters
    by_word = [name for name, one in parameters.items() if one.kind.name != "VAR_POSITIONAL"]
    for name in given:
        if name not in by_word:
            return BadInput(_unknown(function, name, by_word))
    needed = [
        name
        for place, (name, one) in enumerate(parameters.items())
        if one.default is one.empty
        and not one.kind.name.startswith("VAR_")
        and name not in given
        and (one.kind.name == "KEYWORD_ONLY" or place >= len(args))
    ]
    if needed:
        return BadInput(f"{', '.join(needed)}: {function.__name__} needs this; see its help")
    reason = str(error).partition("() ")[2] or str(error)
    return BadInput(f"{function.__name__} {reason}; give the others by name")


def _unknown(function: Callable[..., Any], name: str, known: Sequence[str]) -> str:
    likely = importlib.import_module("difflib").get_close_matches(name, known, n=1)
    meant = f"; did you mean {likely[0]}?" if likely else ""
    return f"{name}: {function.__name__} has no such argument{meant}"


def refuse_unknown(function: Callable[..., Any], further: Mapping[str, Any]) -> None:
    """Those of the further arguments of a function that nothing knows."""
    for name in further:
        if name in _OF_TORCH:
            continue
        known = [*importlib.import_module("inspect").signature(function).parameters, *_OF_TORCH]
        raise BadInput(_unknown(function, name, known))


def with_mode(further: Mapping[str, Any]) -> dict[str, Any]:
    """Further arguments, in which "training", the word of plans and databases, is as good as
    "train"."""
    is_other = further.get("mode") == "training"
    return {**further, "mode": "train"} if is_other else dict(further)


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
    if not os.fspath(given):
        raise BadInput(f"{name} is empty: give {what}")
    return os.fspath(given)


def kind_of(given: Any) -> str:
    """ "None", "an int", "a Tensor"."""
    if given is None:
        return "None"
    kind = type(given).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
