"""Tensors and other values of calls, as the JSON of a recording has them.

A tensor is written [number, type, dims, storage]. Two tensors that share memory have the same
storage; a number belongs to one tensor for as long as the recording lasts, also after its memory
was given back.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import _disable_current_modes

from jouletree.torch.element_types import type_name
from jouletree.torch.faces import Face, Faces, whole_size

Json = Any
_Key = tuple[int, Any]  # Memory and face, or an object.

_BEYOND = 2**63  # What 64 bits hold.
# Values without anything inside; most arguments of calls are such.
_LEAVES = frozenset((
    int, float, bool, str, bytes, complex, type(None),
    torch.dtype, torch.device, torch.layout, torch.memory_format,
))  # fmt: skip
_AS_THEY_ARE = frozenset((bool, str, type(None)))


def _sizes(tensor: torch.Tensor) -> list[int]:
    try:
        return [size if type(size) is int else whole_size(size) for size in tensor.shape]
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


class Note:
    """A tensor that was written down. It is not kept alive: torch copies the header of a result
    that somebody else holds."""

    __slots__ = ("face", "tensor", "written")

    def __init__(self, tensor: torch.Tensor, face: Face, written: Json) -> None:
        self.tensor: Callable[[], Any] = weakref.ref(tensor)
        self.face = face
        self.written = written


class Describer:
    """Numbers tensors and their storages and writes values down."""

    def __init__(
        self, keeps_memory: bool = False, real: Mapping[int, torch.Tensor] | None = None
    ) -> None:
        """`keeps_memory` of tensors, which costs nothing where they have none. `real` are tensors
        with data, by their ids, that nobody writes to."""
        self._keeps_memory = keeps_memory
        self._real = real or {}
        self._faces = Faces()
        self._numbers: dict[_Key, int] = {}
        self._pinned: set[_Key] = set()
        self._last_number = 0
        self._storages: dict[int, int] = {}
        self._instead: dict[int, int] = {}  # Memory, by that which stands in its place.
        # Nothing here may be given back: addresses would be used again.
        self._alive: list[Any] = []
        self._packed: dict[int, Json] = {}
        #: By the ids of tensors: of those without data, and of stored ones.
        self.notes: dict[int, Note] = {}

    def stored(self, tensor: torch.Tensor) -> tuple[int, list[Json]]:
        """The number of a tensor that the model stores, and what is written of it. The first one
        with its looks in its memory gets a number of its own, which no view of the whole of it
        takes over."""
        key = self._key(tensor)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._fresh()
            self._pinned.add(key)
        return number, self._written(tensor, key, number, id(tensor) in self._real)["tensor"]

    def stand_in(self, other: torch.Tensor, tensor: torch.Tensor) -> None:
        """From now on the memory of `other` is taken for that of the tensor."""
        address, memory = self._address(tensor), other.untyped_storage()
        if address is not None and memory._cdata not in self._storages:
            self._instead[memory._cdata] = address
            self._alive.append(memory)

    def known_number(self, tensor: torch.Tensor) -> int | None:
        """The number of a tensor; None where it was never seen."""
        return self._numbers.get(self._key(tensor))

    def storage_of(self, tensor: torch.Tensor) -> int:
        """The number of the tensor's storage; 0 where it has none."""
        address = self._address(tensor)
        return 0 if address is None else self._storages[address]

    def tensor(self, tensor: torch.Tensor) -> list[Json]:
        """[number, type, dims, storage]."""
        return self._noted(tensor)["tensor"]  # type: ignore[no-any-return]

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
        return self.made(tensor)

    def made(self, tensor: torch.Tensor, face: Face | None = None) -> Json:
        """A tensor that a call made; whoever made it may know its face."""
        address = self._address(tensor)
        key = self._key_at(tensor, address, face)
        self._last_number = number = self._last_number + 1
        if key not in self._pinned:
            self._numbers[key] = number
        return self._written(tensor, key, number, face is not None or self._can_note(tensor))

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
        note = self.noted(tensor)
        return self._noted(tensor) if note is None else note.written

    def noted(self, tensor: torch.Tensor) -> Note | None:
        """What was written down about a tensor that still looks the same."""
        note = self.notes.get(id(tensor))
        if note is not None and note.tensor() is tensor and note.face.shape == tensor.shape:
            return note
        return None

    def noted_anew(self, value: Any) -> Note | None:
        """The same for one that was never seen, or looks different now; None where its looks do
        not tell all about it."""
        if not isinstance(value, torch.Tensor) or not self._can_note(value):
            return None
        self.notes.pop(id(value), None)
        self._noted(value)
        return self.notes.get(id(value))

    def _can_note(self, tensor: torch.Tensor) -> bool:
        """Whether its looks tell all about it that matters to a call."""
        if type(tensor) is FakeTensor:
            return self._keeps_memory and tensor.constant is None
        return id(tensor) in self._real

    def _noted(self, tensor: torch.Tensor) -> Json:
        key = self._key(tensor)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._fresh()
        return self._written(tensor, key, number, self._can_note(tensor))

    def _written(self, tensor: torch.Tensor, key: _Key, number: int, note: bool) -> Json:
        """Calls are given the same few tensors again and again: most of them are noted."""
        address, face = key
        if type(face) is not Face:
            known = self._address(tensor)
            storage = 0 if known is None else self._storages[known]
            return {"tensor": [number, type_name(tensor.dtype), _sizes(tensor), storage]}
        written = {"tensor": [number, face.type, face.dims, self._storages[address]]}
        if note:
            self.notes[id(tensor)] = Note(tensor, face, written)
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
            return whole_size(value)
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
            address: int = storage._cdata
        except Exception:  # Sparse, nested and packed tensors, and wrappers around several.
            return None
        if address in self._storages:
            return address
        if address in self._instead:
            return self._instead[address]
        self._storages[address] = len(self._storages) + 1
        self._alive.append(
            storage if self._keeps_memory else StorageWeakRef(storage)  # type: ignore[no-untyped-call]
        )
        return address

    def _key(self, tensor: torch.Tensor) -> _Key:
        return self._key_at(tensor, self._address(tensor))

    def _key_at(self, tensor: torch.Tensor, address: int | None, face: Face | None = None) -> _Key:
        # Autograd hands on copies of a tensor's header, so that the object tells nothing; all that
        # is left is which memory a tensor shows and how.
        if address is not None:
            try:
                return address, self._faces.of(tensor) if face is None else face
            except Exception:  # Nested tensors of the older kind have no shape.
                pass
        self._alive.append(tensor)
        return id(tensor), "object"
