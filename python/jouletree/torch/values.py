"""Tensors and other values of calls, as the JSON of a recording has them.

A tensor is written [number, type, dims, storage]. Two tensors that share memory have the same
storage; a number belongs to one tensor for as long as the recording lasts, also after its memory
was given back.
"""

from __future__ import annotations

import contextlib
import functools
import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import _disable_current_modes

Json = Any
_Key = tuple[Any, ...]

_TYPE_NAMES = {
    "quint8": "uint8",
    "qint8": "int8",
    "qint32": "int32",
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float8_e8m0fnu": "float8e8m0",
}
_UNKNOWN_SIZE = -1
_BEYOND = 2**63  # What 64 bits hold.
# Values without anything inside; most arguments of calls are such.
_LEAVES = frozenset((
    int, float, bool, str, bytes, complex, type(None),
    torch.dtype, torch.device, torch.layout, torch.memory_format,
))  # fmt: skip
_AS_THEY_ARE = frozenset((bool, str, type(None)))


@functools.cache
def type_name(dtype: torch.dtype) -> str:
    """The name of an element type, as JouleTree writes it.

    >>> type_name(torch.float8_e5m2)
    'float8e5m2'
    """
    plain = str(dtype).removeprefix("torch.")
    return _TYPE_NAMES.get(plain, plain)


def _whole(size: Any) -> int:
    try:
        return int(size)
    except Exception:  # A size that depends on data, or the ragged one of a nested tensor.
        return _UNKNOWN_SIZE


def _sizes(tensor: torch.Tensor) -> list[int]:
    try:
        return [size if type(size) is int else _whole(size) for size in tensor.shape]
    except Exception:  # Nested tensors of the older kind have no shape.
        return []


def tensors_in(value: Any) -> list[torch.Tensor]:
    """All tensors in nested tuples, lists, mappings and objects with fields, in order.

    >>> len(tensors_in({"a": torch.zeros(1), "b": [torch.zeros(2), 3]}))
    2
    """
    found: list[torch.Tensor] = []
    seen: set[int] = set()
    pending = [value]
    while pending:
        one = pending.pop()
        kind = type(one)
        if kind in _LEAVES:
            continue
        if isinstance(one, torch.Tensor):
            found.append(one)
        elif kind is tuple:
            pending.extend(reversed(one))
        elif not isinstance(one, (str, bytes, int, float)):
            # Objects may refer to each other in circles, and in long chains.
            items = _items(one)
            if items and id(one) not in seen:
                seen.add(id(one))
                pending.extend(reversed(items))
    return found


def _items(value: Any) -> Sequence[Any]:
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, (dict, Mapping)):
        return list(value.values())
    if type(value).__module__ == "builtins" or isinstance(value, (torch.nn.Module, type)):
        return []
    # Dataclasses and the caches and outputs that libraries define.
    fields = getattr(value, "__dict__", None)
    return list(fields.values()) if isinstance(fields, dict) else []


class Describer:
    """Numbers tensors and their storages and writes values down."""

    def __init__(self, keeps_memory: bool = False) -> None:
        """`keeps_memory` of tensors, which costs nothing where they have none."""
        self._keeps_memory = keeps_memory
        self._numbers: dict[_Key, int] = {}
        self._pinned: set[_Key] = set()
        self._last_number = 0
        self._storages: dict[int, int] = {}
        self._alive: list[
            Any
        ] = []  # Nothing here may be given back: addresses would be used again.
        self._packed: dict[int, Json] = {}
        # By the id of a tensor: it, its shape when it was written down, and how. Not kept alive:
        # torch copies the header of a result that somebody else holds.
        self._written: dict[int, tuple[weakref.ref[torch.Tensor], torch.Size, Json]] = {}

    def pin(self, tensor: torch.Tensor) -> int:
        """Gives a stored tensor a number of its own, which no view of the whole of it takes
        over."""
        key = self._key(tensor)
        number = self._fresh()
        self._numbers.setdefault(key, number)
        self._pinned.add(key)
        return number

    def _number_at(self, key: _Key) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._fresh()
        return number

    def known_number(self, tensor: torch.Tensor) -> int | None:
        """The number of a tensor; None where it was never seen."""
        return self._numbers.get(self._key(tensor))

    def storage_of(self, tensor: torch.Tensor) -> int:
        """The number of the tensor's storage; 0 where it has none."""
        address = self._address(tensor)
        return 0 if address is None else self._storages[address]

    def tensor(self, tensor: torch.Tensor, number: int | None = None) -> list[Json]:
        """[number, type, dims, storage]."""
        address = self._address(tensor)
        if number is None:
            number = self._number_at(self._key_at(tensor, address))
        return self._tensor_at(tensor, address, number)

    def _tensor_at(self, tensor: torch.Tensor, address: int | None, number: int) -> list[Json]:
        storage = 0 if address is None else self._storages[address]
        return [number, type_name(tensor.dtype), _sizes(tensor), storage]

    def result(self, value: Any, given: Sequence[Any]) -> Json:
        """A result: a tensor that the call made gets a number, also where it shows all of an
        argument."""

        if isinstance(value, torch.Tensor):
            return self._result(value, given)
        return self._value(value, lambda tensor: self._result(tensor, given))

    def _result(self, tensor: torch.Tensor, given: Sequence[Any]) -> Json:
        for one in given:
            if tensor is one:
                return self._described(tensor)
        address = self._address(tensor)
        key = self._key_at(tensor, address)
        number = self._fresh()
        if key not in self._pinned:
            self._numbers[key] = number
        return self._noted(tensor, self._tensor_at(tensor, address, number))

    def value(self, value: Any) -> Json:
        """An argument: numbers, texts and lists as they are, tensors as {"tensor": …}."""
        return self._value(value, self._described)

    def values(self, values: Sequence[Any]) -> list[Json]:
        """Each of them, as `value` has it: most are plain, or tensors that were seen before."""
        described = []
        for value in values:
            kind = type(value)
            if kind in _AS_THEY_ARE or (kind is int and -_BEYOND <= value < _BEYOND):
                described.append(value)
            elif kind is list:
                described.append(self.values(value))
            else:
                described.append(self._value(value, self._described))
        return described

    def _described(self, tensor: torch.Tensor) -> Json:
        written = self._written.get(id(tensor))
        if written is not None and written[0]() is tensor and written[1] == tensor.shape:
            return written[2]
        return self._noted(tensor, self.tensor(tensor))

    def _noted(self, tensor: torch.Tensor, described: list[Json]) -> Json:
        """Calls are given the same few tensors again and again."""
        written = {"tensor": described}
        if self._keeps_memory:
            with contextlib.suppress(Exception):  # Nested tensors of the older kind have no shape.
                self._written[id(tensor)] = (weakref.ref(tensor), tensor.shape, written)
        return written

    def _value(self, value: Any, describe: Callable[[torch.Tensor], Json]) -> Json:
        kind = type(value)
        if kind in _AS_THEY_ARE:
            return value
        if kind is not int and isinstance(value, torch.Tensor):
            return describe(value)
        if isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return value if -_BEYOND <= value < _BEYOND else str(value)
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self._value(item, describe) for item in value]
        if isinstance(value, Mapping):
            return [self._value(item, describe) for item in value.values()]
        return self._other(value)

    def _other(self, value: Any) -> Json:
        if isinstance(value, (torch.SymInt, torch.SymBool)):
            return _whole(value)
        if isinstance(value, torch.SymFloat):
            return None
        if isinstance(value, torch.dtype):
            return type_name(value)
        if isinstance(value, (torch.device, torch.layout, torch.memory_format, complex)):
            return str(value)
        value = getattr(value, "real_obj", value)  # Counting without data wraps it.
        if isinstance(value, torch.ScriptObject):
            return self._packed_weights(value)
        return None

    def _packed_weights(self, value: Any) -> Json:
        """Weights that an engine packed tell what they were packed from."""
        if id(value) not in self._packed:
            self._alive.append(value)
            try:
                with _disable_current_modes():
                    state = value.__getstate__()
                self._packed[id(value)] = {
                    "packed": self.value(state if isinstance(state, (tuple, list)) else [state])
                }
            except Exception:
                self._packed[id(value)] = None
        return self._packed[id(value)]

    def _fresh(self) -> int:
        self._last_number += 1
        return self._last_number

    def _address(self, tensor: torch.Tensor) -> int | None:
        try:
            storage = tensor.untyped_storage()
            address = int(storage._cdata)
        except Exception:  # Sparse, nested and packed tensors, and wrappers around several.
            return None
        if address not in self._storages:
            self._storages[address] = len(self._storages) + 1
            self._alive.append(
                storage if self._keeps_memory else StorageWeakRef(storage)  # type: ignore[no-untyped-call]
            )
        return address

    def _key(self, tensor: torch.Tensor) -> _Key:
        return self._key_at(tensor, self._address(tensor))

    def _key_at(self, tensor: torch.Tensor, address: int | None) -> _Key:
        if address is None:
            self._alive.append(tensor)
            return ("object", id(tensor))
        # Autograd hands on copies of a tensor's header, so that the object tells nothing; all that
        # is left is which memory a tensor shows and how.
        try:
            return (
                address,
                tensor.storage_offset(),
                tensor.shape,
                tensor.stride(),
                tensor.dtype,
            )
        except Exception:
            self._alive.append(tensor)
            return ("object", id(tensor))
