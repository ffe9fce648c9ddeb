"""Layers that keep state, such as recurrent ones that are stateful, set it at the end of a call.
ONNX has no state: what a model computes in one call, from the state that it has, is exported."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf


@contextmanager
def left_out_assignments() -> Iterator[None]:
    """Variables of Keras stay as they are in what is traced while this lasts."""
    variable = importlib.import_module("keras.src.backend.tensorflow.core").Variable
    plain: Callable[..., Any] = variable._direct_assign

    def assign(one: Any, value: Any) -> Any:
        # New layers set their weights outside what is traced.
        return None if tf.inside_function() else plain(one, value)

    variable._direct_assign = assign
    try:
        yield
    finally:
        variable._direct_assign = plain
