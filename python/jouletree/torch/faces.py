"""How tensors show their memory. Models have few ways to do so, and each is one object here: two
tensors that look the same have the same face, which is compared and hashed at once.

Example:
    >>> faces = Faces()
    >>> faces.of(torch.zeros(2, 3)) is faces.of(torch.ones(2, 3))
    True
"""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from jouletree.torch.element_types import type_name

_MOST_KEPT = 20_000
_UNKNOWN_SIZE = -1


class Face:
    """Shape, strides, offset, type and device of a tensor; its shape and type also as a recording
    has them."""

    __slots__ = ("device", "dims", "dtype", "offset", "shape", "strides", "type")

    def __init__(
        self,
        shape: torch.Size,
        strides: tuple[int, ...],
        offset: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self.shape = shape
        self.strides = strides
        self.offset = offset
        self.dtype = dtype
        self.device = device
        self.dims = [size if type(size) is int else whole_size(size) for size in shape]
        self.type = type_name(dtype)


_shared: dict[Any, Face] = {}


class Faces:
    """All faces that were seen so far. They are shared with others for as long as memory of them
    lasts; the same object always gives the same ones."""

    def __init__(self) -> None:
        self._own: dict[Any, Face] = {}

    def of(self, tensor: torch.Tensor) -> Face:
        """Raises whatever the tensor raises that has no shape, strides or offset."""
        device = tensor.fake_device if type(tensor) is FakeTensor else tensor.device
        key: Any = (
            tensor.shape, tensor.stride(), tensor.storage_offset(), tensor.dtype, device
        )  # fmt: skip
        face = self._own.get(key)
        if face is None:
            face = _shared.get(key)
            if face is None:
                if len(_shared) >= _MOST_KEPT:
                    _shared.clear()
                face = _shared[key] = Face(*key)
            self._own[key] = face
        return face


def whole_size(size: Any) -> int:
    """-1 where it depends on data, or is the ragged one of a nested tensor."""
    try:
        return int(size)
    except Exception:
        return _UNKNOWN_SIZE
