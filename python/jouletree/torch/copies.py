"""Copies of the tensors of calls: a call alone finds its memory as far away as in the model.

Tensors that share memory are copied together and share the copy in the same way. What a call
writes to is always a copy: nothing of the user's is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

# Kernels take other paths for memory that does not begin where the original did.
_ALIGNMENT = 64


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether a tensor is nothing but memory shown with sizes and strides."""
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.layout == torch.strided
        and not tensor.is_quantized
        and not tensor.is_conj()
        and not tensor.is_neg()
        and not getattr(tensor, "is_nested", False)
    )


def _begin_of(tensor: torch.Tensor) -> int:
    return int(tensor.storage_offset()) * tensor.element_size()


def _end_of(tensor: torch.Tensor) -> int:
    if tensor.numel() == 0:
        return _begin_of(tensor)
    last = sum(
        (size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True)
    )
    return _begin_of(tensor) + (last + 1) * tensor.element_size()


def _bytes_of(storage: torch.UntypedStorage, begin: int, end: int) -> torch.Tensor:
    empty = torch.empty(0, dtype=torch.uint8, device=storage.device)
    return empty.set_(storage, begin, (end - begin,), (1,))


@dataclass
class MemoryCopies:
    """Sets of one piece of memory. Set 0 is the original, unless it is written to."""

    tensors: list[torch.Tensor]
    sets: int
    written: bool
    _pieces: list[torch.Tensor] = field(default_factory=list)  # The bytes of each set.
    _pristine: torch.Tensor | None = None
    _begin: int = 0

    def __post_init__(self) -> None:
        storage = self.tensors[0].untyped_storage()
        self._begin = min(map(_begin_of, self.tensors)) // _ALIGNMENT * _ALIGNMENT
        end = min(max(map(_end_of, self.tensors)), storage.nbytes())
        original = _bytes_of(storage, self._begin, max(end, self._begin))
        self._pieces = [] if self.written else [original]
        self._pieces += [original.clone() for _ in range(self.sets - len(self._pieces))]
        if self.written:
            self._pristine = original.clone()

    def tensor(self, like: torch.Tensor, turn: int) -> torch.Tensor:
        """Shows a set as one of the tensors showed the original."""
        if not self.written and turn % self.sets == 0:
            return like
        piece = self._pieces[turn % self.sets]
        offset = (_begin_of(like) - self._begin) // like.element_size()
        empty = torch.empty(0, dtype=like.dtype, device=like.device)
        return empty.set_(piece.untyped_storage(), offset, like.shape, like.stride())

    def restore(self) -> None:
        """Puts back what was written over: values must not run away from window to window."""
        if self._pristine is not None:
            for piece in self._pieces:
                piece.copy_(self._pristine)


@dataclass
class _Odd:
    """Sets of a tensor that is more than memory: cloned as a whole."""

    tensors: list[torch.Tensor]
    sets: int
    written: bool
    _made: list[torch.Tensor] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._made = [] if self.written else [self.tensors[0]]
        self._made += [self.tensors[0].clone() for _ in range(self.sets - len(self._made))]

    def tensor(self, _like: torch.Tensor, turn: int) -> torch.Tensor:
        return self._made[turn % self.sets]

    def restore(self) -> None:
        if self.written:
            for made in self._made:
                made.copy_(self.tensors[0])


class TensorCopies:
    """Sets of all tensors of a workload.

    `storages` numbers the memory of each tensor, `sets_of` says how many sets of it there are.
    """

    def __init__(
        self,
        tensors: Sequence[torch.Tensor],
        storages: Sequence[int],
        sets_of: Callable[[int], int],
        written: set[int],
    ) -> None:
        self._memory: dict[Any, MemoryCopies | _Odd] = {}
        self._key_of: dict[int, Any] = {}
        self._alive = list(tensors)  # Ids are used again otherwise.
        groups: dict[Any, list[torch.Tensor]] = {}
        storage_of: dict[Any, int] = {}
        for tensor, storage in zip(tensors, storages, strict=True):
            key: Any = (
                int(tensor.untyped_storage()._cdata) if is_plain(tensor) else ("odd", id(tensor))
            )
            self._key_of[id(tensor)] = key
            groups.setdefault(key, []).append(tensor)
            storage_of[key] = storage
        for key, shown in groups.items():
            made = _Odd if isinstance(key, tuple) else MemoryCopies
            storage = storage_of[key]
            self._memory[key] = made(shown, max(1, sets_of(storage)), storage in written)

    def tensor(self, original: torch.Tensor, turn: int) -> torch.Tensor:
        """What a tensor is in a turn."""
        key = self._key_of.get(id(original))
        return original if key is None else self._memory[key].tensor(original, turn)

    def restore(self) -> None:
        for memory in self._memory.values():
            memory.restore()
