"""What a call makes of tensors without data, remembered: models repeat their layers.

PyTorch finds shapes in Python, call by call, and its own memory of them takes longer to ask than
most operators take to run.

Example:
    >>> calls = FakeCalls(FakeMaker(mode))
    >>> calls.run(torch.ops.aten.mm.default, (a, b), {}, lambda: torch.mm(a, b))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

_MOST_KEPT = 20_000
_PLAIN = (bool, int, float, str, type(None), torch.dtype, torch.device, torch.layout,
          torch.memory_format)  # fmt: skip
_UNKNOWABLE = ("dynamic_output_shape", "data_dependent_output", "inplace_view")


@dataclass(slots=True)
class _Result:
    """A tensor that a call returns."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    dtype: torch.dtype
    device: torch.device
    shows_first: bool
    """It is in the memory of the first argument."""


@dataclass(slots=True)
class _Answer:
    is_tuple: bool
    results: list[_Result]


_known: dict[Any, _Answer] = {}
_repeats: dict[Any, bool] = {}


class FakeMaker:
    """Makes tensors without data as their constructor does, in a fraction of its time: what it
    notes down about a tensor is the same for all of a device."""

    def __init__(self, mode: FakeTensorMode) -> None:
        self._mode = mode
        self._fields: dict[torch.device, dict[str, Any]] = {}
        is_allowed = getattr(mode, "_allow_unsafe_data_ptr_access", True)
        name = "warn_deprecated" if is_allowed else "throw"
        self._guard = getattr(torch._C, f"_set_{name}_on_mutable_data_ptr", None)

    def make(self, plain: torch.Tensor, device: torch.device) -> FakeTensor:
        """A tensor of a device in place of one of the meta device, which has its shape."""
        fields = self._fields.get(device)
        if fields is None or self._guard is None:
            made = FakeTensor(self._mode, plain, device)
            self._fields[device] = dict(made.__dict__)
            return made
        made = torch.Tensor._make_subclass(
            FakeTensor, plain, False, dispatch_device=True, device_for_backend_keys=device
        )
        self._guard(made)
        made.__dict__.update(fields)
        return made


class FakeCalls:
    """Answers calls from what equal calls made before: new tensors, or the first argument in
    another shape."""

    def __init__(self, maker: FakeMaker) -> None:
        self._maker = maker

    def run(
        self,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        ask: Callable[[], Any],
    ) -> Any:
        repeats = _repeats.get(func)
        if repeats is None:
            repeats = _repeats[func] = _can_repeat(func)
        key = _key_of(func, args, kwargs) if repeats else None
        if key is None:
            return ask()
        known = _known.get(key)
        if known is None:
            result = ask()
            _remember(key, result, args, kwargs)
            return result
        made = [self._made(one, args) for one in known.results]
        return tuple(made) if known.is_tuple else made[0]

    def _made(self, one: _Result, args: tuple[Any, ...]) -> FakeTensor:
        with torch._C._DisableTorchDispatch():  # Else the mode would make a fake one itself.
            if one.shows_first:
                plain = torch.as_strided(args[0], one.shape, one.strides, one.offset)
            else:
                plain = torch.empty_strided(one.shape, one.strides, dtype=one.dtype, device="meta")
        return self._maker.make(plain, one.device)


def _can_repeat(func: Any) -> bool:
    """It changes nothing, and what it returns follows from types, shapes and plain values."""
    schema = getattr(func, "_schema", None)
    tags = {getattr(tag, "name", str(tag)) for tag in getattr(func, "tags", ())}
    return (
        schema is not None
        and not schema.is_mutable
        and str(schema.name).startswith("aten::")
        and not any(tag in tags for tag in _UNKNOWABLE)
    )


def _key_of(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """All that the results depend on; None where something is no plain value."""
    parts: list[Any] = [func]
    if not _add_to_key(args, parts):
        return None
    for name, value in kwargs.items():
        parts.append(name)
        if not _add_to_key((value,), parts):
            return None
    return tuple(parts)


def _add_to_key(values: Sequence[Any], parts: list[Any]) -> bool:
    for value in values:
        if type(value) is FakeTensor:
            if not _is_plain(value):
                return False
            parts.append((
                value.shape, value.stride(), value.storage_offset(), value.dtype, value.fake_device
            ))  # fmt: skip
        elif isinstance(value, _PLAIN):
            parts.append((type(value), value))
        elif isinstance(value, (list, tuple)):
            parts.append(len(value))
            if not _add_to_key(value, parts):
                return False
        else:
            return False
    return True


def _remember(key: Any, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Unless the results share memory in other ways than with the first argument. Schemas do not
    tell: some views are called unsafe, and some calls are views only where they can be."""
    results = list(result) if isinstance(result, tuple) else [result]
    if not results or not all(type(one) is FakeTensor and _is_plain(one) for one in results):
        return
    given = [_memory(one) for one in _tensors([*args, *kwargs.values()])]
    made = [_memory(one) for one in results]
    first = _memory(args[0]) if args and type(args[0]) is FakeTensor else None
    if len(made) > 1 and (len(set(made)) < len(made) or set(made) & set(given)):
        return
    if made[0] in given and made[0] != first:
        return
    if any(one is value for one in results for value in args):
        return
    if len(_known) >= _MOST_KEPT:
        _known.clear()
    _known[key] = _Answer(
        isinstance(result, tuple),
        [
            _Result(
                tuple(one.shape),
                tuple(one.stride()),
                one.storage_offset(),
                one.dtype,
                one.fake_device,
                memory == first,
            )
            for one, memory in zip(results, made, strict=True)
        ],
    )


def _tensors(values: Sequence[Any]) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors(value)
    return found


def _memory(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _is_plain(tensor: FakeTensor) -> bool:
    return tensor.layout is torch.strided and tensor.constant is None
