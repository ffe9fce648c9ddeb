"""Inputs of a live module by the names of forward's arguments.

Example:
    >>> module_arguments(net, GivenInputs({"x": (1, 3, 8, 8)}), random)
    ((tensor(…),), {})
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from jouletree.errors import BadInput
from jouletree.torch.live import uncompiled

if TYPE_CHECKING:
    from jouletree.torch.files import GivenInputs

_ANY_NUMBER = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def forward_parameters(module: nn.Module) -> list[Parameter]:
    """Those of forward; any number by name where it does not tell."""
    try:
        return list(inspect.signature(uncompiled(module).forward).parameters.values())
    except (TypeError, ValueError):
        return [Parameter("inputs", Parameter.VAR_KEYWORD)]


def forward_names(module: nn.Module) -> list[str]:
    """The arguments that have names of their own."""
    return [one.name for one in forward_parameters(module) if one.kind not in _ANY_NUMBER]


def takes_any(module: nn.Module) -> bool:
    """Whether forward takes arguments beyond those that it names."""
    return any(one.kind in _ANY_NUMBER for one in forward_parameters(module))


def check_needed(module: nn.Module, given: Collection[str]) -> None:
    """Raises BadInput where forward needs an argument that is not among those given."""
    _refuse_missing(
        [
            one.name
            for one in forward_parameters(module)
            if one.kind not in _ANY_NUMBER
            and one.default is Parameter.empty
            and one.name not in given
        ]
    )


def module_arguments(
    module: nn.Module, given: GivenInputs, random: torch.Generator
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """By position as far as forward takes them so, else by name; what nobody gives keeps its
    default."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    missing: list[str] = []
    by_position = True
    parameters = forward_parameters(module)
    for one in parameters:
        if one.kind in _ANY_NUMBER:
            continue
        by_position = by_position and one.kind is not Parameter.KEYWORD_ONLY
        if not given.is_given(one.name):
            by_position = False
            if one.default is Parameter.empty:
                missing.append(one.name)
        elif by_position:
            args.append(_made(one.name, given, random))
        else:
            kwargs[one.name] = _made(one.name, given, random)
    _refuse_missing(missing)
    known = {one.name for one in parameters if one.kind not in _ANY_NUMBER}
    by_name = any(one.kind is Parameter.VAR_KEYWORD for one in parameters)
    rows = {one.name for one in parameters if one.kind is Parameter.VAR_POSITIONAL}
    for name in given.names():
        if name in known:
            continue
        made = _made(name, given, random)
        if by_name and name not in rows:
            kwargs[name] = made
        else:
            args += made if isinstance(made, list) and name in rows else [made]
    return tuple(args), kwargs


def _refuse_missing(missing: Sequence[str]) -> None:
    if missing:
        raise BadInput(
            f"forward also needs {', '.join(missing)}; give its shape: "
            f"inputs: {{{missing[0]}: 1x3x224x224}}"
        )


def _made(name: str, given: GivenInputs, random: torch.Generator) -> Any:
    """A tensor, or a list of those that are called `name.0`, `name.1`."""
    if not given.is_given(f"{name}.0"):
        return given.tensor(name, random, [])
    items: list[Any] = []
    while given.is_given(f"{name}.{len(items)}"):
        items.append(given.tensor(f"{name}.{len(items)}", random, []))
    return items
