"""Records a run in which nothing is computed.

Parameters and buffers may stay in the model as they are: a call is answered by their looks, or gets
tensors without data in their place. Nothing is ever written to them.

Example:
    >>> with fakes.mode:
    ...     recording = record_call(FakeRecorder(model, fakes), model, args, kwargs)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor

from jouletree.torch.fake_calls import Answer, FakeCalls
from jouletree.torch.fake_tensors import FakeTensors
from jouletree.torch.modules import in_backward
from jouletree.torch.recording import RecordedCall, Recorder
from jouletree.torch.signatures import UNSAID_WRITES, OperatorFacts, facts_of, ordered_arguments
from jouletree.torch.values import Describer, tensors_in


class NeedsFakes(Exception):
    """The model does something with what it stores that only tensors without data can stand."""


class FakeRecorder(Recorder):  # type: ignore[no-untyped-call]
    """Numbers that a tensor without data cannot give are made up where they decide nothing."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled meanwhile, and to make sure of it costs as much as some calls."""
        return False

    def __init__(
        self,
        module: nn.Module,
        fakes: FakeTensors,
        real: Mapping[int, torch.Tensor] | None = None,
    ) -> None:
        """`real` are all tensors with data that the modules hold, by their ids; None where they
        hold none."""
        super().__init__(module, describer=Describer(keeps_memory=True, real=real))
        self._fakes = fakes
        self._calls = FakeCalls(self.describer)
        self._holds_data = real is not None
        self._memory_of_real = [
            (tensor, self.describer.storage_of(tensor)) for tensor in (real or {}).values()
        ]
        self._real = {memory for _, memory in self._memory_of_real}

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if func is _DEVICE and type(args[0]) is FakeTensor:
            return args[0].fake_device
        kwargs = kwargs or {}
        key = self._calls.key_of(func, args, kwargs)
        answer = None if key is None else self._calls.answer(key)
        if answer is None:
            self._fakes.mode_was_asked = True
            return self._dispatched(func, args, kwargs)
        return self._answered(answer, args, kwargs)

    def __exit__(self, *problem: Any) -> None:
        super().__exit__(*problem)
        memory_of = self.describer.storage_of
        if problem[0] is None and any(
            memory_of(tensor) != memory for tensor, memory in self._memory_of_real
        ):
            raise NeedsFakes  # Somebody has set its .data, which no call tells of.

    def _answered(self, answer: Answer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = self._calls.given
        func = answer.operator
        facts = facts_of(func)
        if answer.arguments is None:
            call = self._begin(func, facts, args, kwargs)
        else:
            arguments = answer.arguments.copy()
            for at, note in zip(answer.places, given, strict=True):
                arguments[at] = note.written
            phase, path = self._place(args, kwargs)
            call = RecordedCall(0, func, phase, path, bool(facts.written), arguments, [])
        if self._holds_data and call.phase == "backward":
            raise NeedsFakes  # Gradients are for tensors of the same kind.
        if answer.changes_first:
            if self._holds_data:
                self._check_write(args[0])
            call.outputs = [given[0].written]
            self._add(call, args[:1])
            return args[0]
        first: Any = args[0] if args else None
        if answer.shows_first and type(first) is not FakeTensor:
            first = self._without_data(first)
        made = self._fakes.maker.results(answer, first)
        describe = self.describer.made
        call.outputs = [
            describe(one, face) for one, (face, _) in zip(made, answer.results, strict=True)
        ]
        self._add(call, made)
        return tuple(made) if answer.is_tuple else made[0]

    def _run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._holds_data:
            return self._run_without_data(func, args, kwargs)
        return self._found(func, args, kwargs)

    def _found(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.phase == "optimizer" and func is torch.ops.aten._local_scalar_dense.default:
            return 1000.0  # How many steps were made: a factor, never a size.
        if func is _GROUPED_PRODUCT:
            return _grouped_product(*args, **kwargs)
        if func in _PRODUCTS:
            _check_types(args)
        return func(*args, **kwargs)

    def _end(
        self,
        call: RecordedCall,
        facts: OperatorFacts,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        result: Any,
    ) -> None:
        if facts.written:
            self._calls.forget(tensors_in([args, kwargs]))  # Perhaps they look different now.
        super()._end(call, facts, args, kwargs, result)
        key = self._calls.key_of(call.operator, args, kwargs)
        if key is not None:
            self._calls.remember(key, call.operator, args, kwargs, result, call.arguments)

    def _run_without_data(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        facts = facts_of(func)
        if in_backward():
            raise NeedsFakes
        if facts.changed and not (facts.name in UNSAID_WRITES and args[5] is False):
            values = [value for _, value in ordered_arguments(facts, args, kwargs)]
            for tensor in tensors_in([values[at] for at in facts.changed if at < len(values)]):
                self._check_write(tensor)
        replaced: dict[int, torch.Tensor] = {}
        result = self._found(
            func,
            tuple(self._inside(value, replaced) for value in args),
            {name: self._inside(value, replaced) for name, value in kwargs.items()},
        )
        if not replaced:
            return result
        # What hands an argument back hands back the very object.
        if isinstance(result, tuple) and not hasattr(result, "_fields"):
            return tuple(replaced.get(id(one), one) for one in result)
        return replaced.get(id(result), result)

    def _check_write(self, tensor: torch.Tensor) -> None:
        if self.describer.storage_of(tensor) in self._real:
            raise NeedsFakes

    def _inside(self, value: Any, replaced: dict[int, torch.Tensor]) -> Any:
        """The same value with tensors without data; `replaced` gets what they stand for."""
        if isinstance(value, torch.Tensor):
            if isinstance(value, FakeTensor):
                return value
            if self.describer.storage_of(value) not in self._real:
                return value  # Made by the model in ways of its own: the mode sees to it.
            made = self._without_data(value)
            replaced[id(made)] = value
            return made
        if type(value) in (list, tuple):
            return type(value)(self._inside(item, replaced) for item in value)
        return value

    def _without_data(self, tensor: torch.Tensor) -> torch.Tensor:
        made = self._fakes.of(tensor)
        self.describer.stand_in(made, tensor)
        return made


_DEVICE = torch.ops.prim.device.default
_GROUPED_PRODUCT = getattr(getattr(torch.ops.aten, "_grouped_mm", None), "default", None)


# Tensors without data are multiplied whatever their types are; those with data are not.
_PRODUCTS = frozenset(
    getattr(torch.ops.aten, name).default
    for name in ("mm", "addmm", "bmm", "baddbmm", "addbmm", "mv", "addmv", "dot", "vdot", "addr")
)


def _check_types(args: tuple[Any, ...]) -> None:
    types = {one.dtype for one in args if isinstance(one, torch.Tensor)}
    if len(types) > 1:
        raise RuntimeError(f"matrices of different types: {', '.join(sorted(map(str, types)))}")


def _grouped_product(
    a: torch.Tensor, b: torch.Tensor, offs: torch.Tensor | None = None, *_: Any, **__: Any
) -> torch.Tensor:
    """What torch says about shapes knows the types of one device only."""
    sizes = [a.shape[-2], b.shape[-1]]
    if a.dim() == 2 and b.dim() == 2 and offs is not None:
        sizes.insert(0, offs.shape[0])  # One product for each group.
    elif a.dim() == 3 and b.dim() == 3:
        sizes.insert(0, a.shape[0])
    return a.new_empty(sizes)
