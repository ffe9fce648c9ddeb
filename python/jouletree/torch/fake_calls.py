"""What a call makes of tensors without data, remembered: models repeat their layers.

PyTorch finds shapes in Python, call by call, and its own memory of them takes longer to ask than
most operators take to run.

Example:
    >>> calls = FakeCalls(describer)
    >>> key = calls.key_of(torch.ops.aten.mm.default, (a, b), {})
    >>> calls.answer(key) or calls.remember(key, func, args, kwargs, torch.mm(a, b), arguments)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from jouletree.torch.faces import Face
from jouletree.torch.values import Describer, Json, Note

_MOST_KEPT = 20_000
_PLAIN = frozenset((bool, int, float, str, type(None), torch.dtype, torch.device, torch.layout,
                    torch.memory_format))  # fmt: skip
_UNKNOWABLE = ("dynamic_output_shape", "data_dependent_output", "inplace_view")
# In place, and not all versions of torch tag them so.
_RESHAPES = frozenset(f"aten::{name}" for name in ("resize_", "resize_as_", "_resize_output_",
                                                   "set_", "rename_"))  # fmt: skip
_META = torch.device("meta")


@dataclass(slots=True)
class Answer:
    """What an equal call was given and returned."""

    operator: Any
    is_tuple: bool
    #: Of each result, and whether it is in the memory of the first argument.
    results: list[tuple[Face, bool]]
    #: One of them is.
    shows_first: bool
    #: The call changes its first argument, and returns it.
    changes_first: bool
    #: Its arguments as they were written down; None where tensors stand in lists, or have names.
    arguments: list[Json] | None
    #: Where tensors stand among them.
    places: list[int]


# By operator, faces of tensors and plain values. Operators are slow to hash: their ids stand for
# them, and answers keep them.
_known: dict[Any, Answer] = {}
_repeats: dict[int, tuple[Any, bool]] = {}


class FakeMaker:
    """Makes tensors without data as their constructor does, in a fraction of its time: what it
    notes down about a tensor is the same for all of a device."""

    def __init__(self, mode: FakeTensorMode) -> None:
        self.mode = mode
        self._fields: dict[torch.device, dict[str, Any]] = {}
        is_allowed = getattr(mode, "_allow_unsafe_data_ptr_access", True)
        name = "warn_deprecated" if is_allowed else "throw"
        self._guard = getattr(torch._C, f"_set_{name}_on_mutable_data_ptr", None)

    def make(self, plain: torch.Tensor, device: torch.device) -> FakeTensor:
        """A tensor of a device in place of one of the meta device, which has its shape."""
        fields = self._fields.get(device)
        if fields is None or self._guard is None:
            made = FakeTensor(self.mode, plain, device)
            self._fields[device] = dict(made.__dict__)
            return made
        made = torch.Tensor._make_subclass(
            FakeTensor, plain, False, dispatch_device=True, device_for_backend_keys=device
        )
        self._guard(made)
        made.__dict__.update(fields)
        return made

    def like(self, tensor: torch.Tensor, memory: torch.Tensor | None) -> FakeTensor:
        """One that looks like the tensor, in memory of its own or in that of another one."""
        shape, strides = tensor.shape, tensor.stride()
        with torch._C._DisableTorchDispatch():
            if memory is None:
                plain = torch.empty_strided(shape, strides, dtype=tensor.dtype, device=_META)
            else:
                plain = torch.as_strided(
                    memory.detach(), shape, strides, tensor.storage_offset()
                ).detach()
        return self.make(plain, tensor.device)

    def results(self, answer: Answer, first: Any) -> list[FakeTensor]:
        """What a call returns that has this answer, and this first argument."""
        plain = []
        with torch._C._DisableTorchDispatch():  # Else the mode would make fake ones itself.
            for face, shows_first in answer.results:
                if shows_first:
                    made = torch.as_strided(first, face.shape, face.strides, face.offset)
                else:
                    made = torch.empty_strided(
                        face.shape, face.strides, dtype=face.dtype, device=_META
                    )
                plain.append(made)
        return [
            self.make(one, face.device)
            for one, (face, _) in zip(plain, answer.results, strict=True)
        ]


class FakeCalls:
    """Answers calls from what equal calls made before: new tensors, or the first argument, as it is
    or in another shape. Tensors are equal that look the same in the notes of a describer."""

    def __init__(self, describer: Describer) -> None:
        self._describer = describer
        self._notes = describer.notes
        #: Those of the tensors of the last key, which stand among its arguments as such.
        self.given: list[Note] = []

    def key_of(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """All that the results depend on; None where something is neither a plain value nor a
        tensor that was noted."""
        parts: list[Any] = [id(func)]
        self.given = given = []
        notes = self._notes
        for value in args:
            kind: Any = type(value)
            if kind in _PLAIN:
                parts.append(kind)
                parts.append(value)
            elif kind is list or kind is tuple:
                if not self._add_items(value, parts):
                    return None
            else:
                note = notes.get(id(value))
                if note is None or note.tensor() is not value or note.face.shape != value.shape:
                    note = self._describer.noted_anew(value)
                    if note is None:
                        return None
                parts.append(note.face)
                given.append(note)
        if kwargs:
            for name, value in kwargs.items():
                parts.append(name)
                if not self._add_items((value,), parts):
                    return None
        return tuple(parts)

    def _add_items(self, values: Sequence[Any], parts: list[Any]) -> bool:
        parts.append(len(values))
        for value in values:
            kind: Any = type(value)
            if kind in _PLAIN:
                parts.append(kind)
                parts.append(value)
            elif kind is list or kind is tuple:
                if not self._add_items(value, parts):
                    return False
            else:
                note = self._notes.get(id(value))
                if note is None or note.tensor() is not value or note.face.shape != value.shape:
                    note = self._describer.noted_anew(value)
                    if note is None:
                        return False
                parts.append(note.face)
        return True

    def forget(self, tensors: Sequence[torch.Tensor]) -> None:
        """What was noted about tensors without data."""
        for tensor in tensors:
            if type(tensor) is FakeTensor:
                self._notes.pop(id(tensor), None)

    def answer(self, key: Any) -> Answer | None:
        """What was made of an equal call."""
        return _known.get(key)

    def remember(
        self,
        key: Any,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        result: Any,
        arguments: list[Json],
    ) -> None:
        """Unless the results share memory in other ways than with the first argument. Schemas do
        not tell: some views are called unsafe, and some calls are views only where they can be."""
        repeats = _repeats.get(id(func))
        if repeats is None:
            repeats = _repeats[id(func)] = (func, _can_repeat(func))
        if not repeats[1]:
            return
        changes_first = bool(func._schema.is_mutable)
        results = list(result) if isinstance(result, tuple) else [result]
        faces = [] if changes_first else self._faces_of(results, args, kwargs)
        if faces is None or (changes_first and not (args and result is args[0])):
            return
        places = [at for at, one in enumerate(args) if isinstance(one, torch.Tensor)]
        is_flat = len(places) == len(_tensors([*args, *kwargs.values()]))
        plain = [None if at in places else one for at, one in enumerate(arguments)]
        if len(_known) >= _MOST_KEPT:
            _known.clear()
        _known[key] = Answer(
            func,
            isinstance(result, tuple),
            faces,
            any(shows for _, shows in faces),
            changes_first,
            plain if is_flat else None,
            places,
        )

    def _faces_of(
        self, results: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> list[tuple[Face, bool]] | None:
        if not results or not all(type(one) is FakeTensor for one in results):
            return None
        notes = [self._notes.get(id(one)) for one in results]
        if None in notes:
            return None
        memory_of = self._describer.storage_of
        given = [memory_of(one) for one in _tensors([*args, *kwargs.values()])]
        made = [memory_of(one) for one in results]
        first = memory_of(args[0]) if args and isinstance(args[0], torch.Tensor) else None
        if len(made) > 1 and (len(set(made)) < len(made) or set(made) & set(given)):
            return None
        if made[0] in given and made[0] != first:
            return None
        if any(one is value for one in results for value in args):
            return None
        return [
            (note.face, memory == first)
            for note, memory in zip(notes, made, strict=True)
            if note is not None
        ]


def _can_repeat(func: Any) -> bool:
    """It changes nothing but perhaps what is in its first argument, and what it returns follows
    from types, shapes and plain values."""
    schema = getattr(func, "_schema", None)
    tags = {getattr(tag, "name", str(tag)) for tag in getattr(func, "tags", ())}
    if schema is None or not schema.name.startswith("aten::") or schema.name in _RESHAPES:
        return False
    written = [one.alias_info is not None and one.alias_info.is_write for one in schema.arguments]
    return not any(written[1:]) and not any(tag in tags for tag in _UNKNOWABLE)


def _tensors(values: Sequence[Any]) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors(value)
    return found
