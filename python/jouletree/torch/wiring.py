"""How the calls of a recording hang together: whose result a tensor is, and its memory.

Example:
    >>> calls = wired_calls(record(model, x, keep_arguments=True))
    >>> calls[1].given                     # Numbers of its tensors, in the order of its arguments.
    [3, 17, 12]
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from jouletree.torch.recording import RecordedCall, Recording
from jouletree.torch.signatures import facts_of, ordered_arguments
from jouletree.torch.values import Json


def mapped(value: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    """The same lists and tuples with other tensors; anything else stays the very object."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(mapped(item, change) for item in value)
    return value


def plain_tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors that `mapped` changes, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        for item in value:
            yield from plain_tensors(item)


def _tensor_entries(value: Json) -> Iterator[list[Any]]:
    """Tensors of a written-down argument, without those inside packed weights."""
    if isinstance(value, list):
        for item in value:
            yield from _tensor_entries(item)
    elif isinstance(value, dict) and value.get("tensor") is not None:
        yield value["tensor"]


@dataclass(slots=True)
class WiredCall:
    """A call with its live arguments. Tensors are known by their numbers in the recording."""

    index: int
    operator: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    given: list[int]  # One for each tensor of args and kwargs, in that order.
    storages: list[int]  # Of the same tensors.
    written: set[int]  # Storages that the call changes.
    outputs: list[Json]
    ordered: list[Any]  # Its arguments in the order of the signature, without defaults.
    gradients: bool  # Whether they were on.

    @property
    def tensors(self) -> list[torch.Tensor]:
        """Those of args, then those of kwargs."""
        return [*plain_tensors(self.args), *plain_tensors(list(self.kwargs.values()))]

    @property
    def makes_memory(self) -> bool:
        """Whether a result lies in memory of its own, not in that of an argument."""
        known = set(self.storages)
        return any(entry[3] not in known for entry in _tensor_entries(self.outputs))

    @property
    def returns(self) -> int:
        """How many results it has; one for operators that take functions."""
        schema = getattr(self.operator, "_schema", None)
        return 1 if schema is None else len(schema.returns)


# Operators that change in place how a tensor is shown, and nothing in its memory.
_TURNS = frozenset(
    f"aten::{name}_"
    for name in (
        *("transpose", "t", "squeeze", "unsqueeze", "swapaxes", "swapdims", "as_strided"),
        "detach",
    )
)


@functools.cache
def _repeatable(operator: Any) -> Any:
    """What to call in place of an operator that could be called once only: a tensor that was turned
    is another one the next time. The same without the last letter makes a new view, by the same
    work."""
    if facts_of(operator).name not in _TURNS:
        return operator
    packet = getattr(torch.ops.aten, facts_of(operator).name.removeprefix("aten::")[:-1])
    wanted = [str(one.type) for one in operator._schema.arguments]
    for name in packet.overloads():
        found = getattr(packet, name)
        if [str(one.type) for one in found._schema.arguments] == wanted:
            return found
    return operator


def wired_calls(recording: Recording) -> list[WiredCall]:
    """All calls of a recording that kept its arguments."""
    return [_wired(call) for call in recording.calls]


def _wired(call: RecordedCall) -> WiredCall:
    live = call.live
    if live is None:
        raise ValueError("the recording did not keep the arguments of its calls")
    facts = facts_of(call.operator)
    operator = _repeatable(call.operator)
    values: list[Any] = [*live.args, *live.kwargs.values()]
    if facts.arguments:
        values = [
            value for given, value in ordered_arguments(facts, live.args, live.kwargs) if given
        ]
    entries = list(_tensor_entries(call.arguments))
    described = dict(zip(map(id, plain_tensors(values)), entries, strict=True))
    own = [*plain_tensors(live.args), *plain_tensors(list(live.kwargs.values()))]
    given = [described[id(tensor)] for tensor in own]
    written: set[int] = set()
    for at in facts.changed:
        if at < len(call.arguments) and operator is call.operator:
            written.update(entry[3] for entry in _tensor_entries(call.arguments[at]))
    return WiredCall(
        call.index,
        operator,
        live.args,
        live.kwargs,
        [entry[0] for entry in given],
        [entry[3] for entry in given],
        written,
        call.outputs,
        values,
        live.gradients,
    )


def kind_of(call: WiredCall) -> str:
    """The same for calls that are equal in all that their cost depends on."""

    def described(tensor: torch.Tensor) -> Any:
        try:
            return tuple(tensor.shape), tensor.stride(), str(tensor.dtype)
        except RuntimeError:
            return str(tensor.dtype)

    return f"{call.operator}{mapped(call.ordered, described)!r}"


def numbers_in(value: Json) -> Iterator[int]:
    """Numbers of the tensors of a written-down value."""
    for entry in _tensor_entries(value):
        yield entry[0]
