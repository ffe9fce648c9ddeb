"""A model as a graph of TensorFlow whose names tell which layer each operation belongs to."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import keras
import tensorflow as tf

from jouletree._interrupts import held
from jouletree.errors import BadInput
from jouletree.keras.assignments import left_out_assignments
from jouletree.keras.layers import LayerTree
from jouletree.keras.reasons import first_sentence
from jouletree.keras.signatures import Signature

_lock = threading.RLock()


def traced(model: Any, signature: Signature, tree: LayerTree) -> Any:
    """The concrete function of one call for inference."""
    specs = [tf.TensorSpec(leaf.shape, leaf.type, name=leaf.name) for leaf in signature.leaves]
    further = {"training": False} if _takes_training(model) else {}

    def run(*values: Any) -> Any:
        return model(*signature.packed(values), **further)

    with _lock, held(firmly=True), _marked_calls(model, tree), _whole_normalisation():
        function = tf.function(run, autograph=False)
        with _open_functions(), left_out_assignments():
            return function.get_concrete_function(*specs)


def _takes_training(model: Any) -> bool:
    return "training" in inspect.signature(model.call).parameters


@contextmanager
def _marked_calls(model: Any, tree: LayerTree) -> Iterator[None]:
    """Operations made by a layer, and by the model itself, get its mark into their names while this
    lasts. The names that Keras gives them would not do: TensorFlow adds numbers to those that it
    has seen, and ``conv_1`` may be another layer."""
    plain: Callable[..., Any] = keras.layers.Layer.__call__
    own_thread = threading.get_ident()
    around = [model]
    failed: list[Any] = []

    def marked(layer: Any, *args: Any, **kwargs: Any) -> Any:
        if threading.get_ident() != own_thread:
            return plain(layer, *args, **kwargs)
        mark = tree.mark_of(layer, around[-1])
        around.append(layer)
        try:
            with tf.name_scope(mark):
                return plain(layer, *args, **kwargs)
        except Exception:
            if not failed:
                failed.append(layer)
            raise
        finally:
            around.pop()

    keras.layers.Layer.__call__ = marked
    try:
        yield
    except Exception as error:
        raise _failure(model, tree, failed, error) from error
    finally:
        keras.layers.Layer.__call__ = plain


def _failure(model: Any, tree: LayerTree, failed: list[Any], error: Exception) -> BadInput:
    """Names the innermost layer that failed."""
    reason = first_sentence(error)
    if not failed or failed[0] is model:
        return BadInput(f"{model.name} ({type(model).__name__}) cannot be traced: {reason}")
    path = next((".".join(p.path) for p in tree.places if p.layer is failed[0]), failed[0].name)
    return BadInput(
        f"the layer {path} ({type(failed[0]).__name__}) of {model.name} cannot be exported: "
        f"{reason}"
    )


@contextmanager
def _whole_normalisation() -> Iterator[None]:
    """Keras writes batch normalisation as four operations on vectors, which exporters fold into
    the convolution before. As one operation it stays in its layer."""
    plain: Callable[..., Any] = tf.nn.batch_normalization

    def whole(
        x: Any,
        mean: Any,
        variance: Any,
        offset: Any,
        scale: Any,
        variance_epsilon: Any,
        name: Any = None,
    ) -> Any:
        # Where the axis of channels is told by its number, Keras gives vectors of rank 4.
        given = [one for one in (mean, variance, offset, scale) if one is not None]
        are_vectors = all(one.shape[-1] == one.shape.num_elements() for one in given)
        if (
            x.shape.rank != 4
            or not are_vectors
            or x.dtype != tf.float32
            or not tf.inside_function()
        ):
            return plain(x, mean, variance, offset, scale, variance_epsilon, name)
        mean, variance = _vector(mean), _vector(variance)
        return tf.raw_ops.FusedBatchNormV3(
            x=x,
            scale=tf.ones(mean.shape) if scale is None else _vector(scale),
            offset=tf.zeros(mean.shape) if offset is None else _vector(offset),
            mean=mean,
            variance=variance,
            epsilon=float(variance_epsilon),
            is_training=False,
            name=name,
        )[0]

    tf.nn.batch_normalization = whole
    try:
        yield
    finally:
        tf.nn.batch_normalization = plain


def _vector(values: Any) -> Any:
    return values if values.shape.rank == 1 else tf.reshape(values, [-1])


@contextmanager
def _open_functions() -> Iterator[None]:
    """Keras has some operations compiled, such as grouped convolutions, and what is compiled is
    closed to exporters."""
    plain: Callable[..., Any] = tf.function

    def uncompiled(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop("jit_compile", None)
        return plain(*args, **kwargs)

    tf.function = uncompiled
    try:
        yield
    finally:
        tf.function = plain
