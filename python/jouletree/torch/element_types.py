"""Element types by the names that JouleTree gives them."""

from __future__ import annotations

import functools

import torch

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


@functools.cache
def type_name(dtype: torch.dtype) -> str:
    """The name of an element type, as JouleTree writes it.

    >>> type_name(torch.float8_e5m2)
    'float8e5m2'
    """
    plain = str(dtype).removeprefix("torch.")
    return _TYPE_NAMES.get(plain, plain)
