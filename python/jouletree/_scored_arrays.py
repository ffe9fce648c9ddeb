"""Arrays and tensors of any library as the scorer of the library takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jouletree.errors import BadInput

NativeArray = tuple[str, list[int], bytes]


def is_torch_tensor(given: Any) -> bool:
    return type(given).__module__.partition(".")[0] == "torch" and hasattr(given, "detach")


def as_numpy(given: Any, what: str) -> np.ndarray[Any, Any]:
    """Of anything that holds numbers: tensors of PyTorch, TensorFlow and JAX, arrays, lists."""
    if is_torch_tensor(given):
        given = given.detach().cpu()
        if given.is_floating_point() and given.element_size() < 4:
            given = given.float()  # NumPy has no bfloat16.
        return np.asarray(given.numpy())
    try:
        array = np.asarray(given.numpy() if hasattr(given, "numpy") else given)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{what} cannot be read as an array: {error}") from error
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.kind not in "biuf":
        raise BadInput(f"{what} are of type {array.dtype}: give numbers")
    return array


def native(given: Any, what: str) -> NativeArray:
    """What C++ is handed: the name of the type, the shape, the bytes."""
    array = as_numpy(given, what)
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return array.dtype.name, list(array.shape), np.ascontiguousarray(array).tobytes()


def leading(given: Any) -> int | None:
    """How many examples an array holds; None for what has no first dimension."""
    shape = getattr(given, "shape", None)
    if shape is None:
        return len(given) if isinstance(given, (list, tuple)) else None
    return int(shape[0]) if len(shape) else None


def first_tensor(given: Any) -> Any:
    """One of the arrays in what a model takes."""
    if isinstance(given, Mapping):
        return first_tensor(next(iter(given.values()), None))
    if isinstance(given, (list, tuple)) and given and not isinstance(given[0], (int, float)):
        return first_tensor(given[0])
    return given
