"""A traced graph of TensorFlow as an ONNX model."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf

from jouletree.errors import BadInput
from jouletree.keras.freezing import frozen
from jouletree.keras.handlers import HANDLERS
from jouletree.keras.quiet import quiet
from jouletree.keras.reasons import export_reason
from jouletree.keras.signatures import Leaf

_OPSET = 17
#: Equal tensors stay apart, and a normalisation stays in its layer.
_LEFT_OUT = ("merge_duplication",)
_LARGEST = 2**31 - 1


def converted(function: Any, leaves: list[Leaf], outputs: list[str], name: str) -> Any:
    """An onnx.ModelProto of a concrete function; nodes have the names that TensorFlow gave."""
    _check_size(function, name)
    # Variables and constants that the function refers to follow what it is called with.
    given = [tensor.name for tensor in function.inputs[: len(leaves)]]
    made = [tensor.name for tensor in function.outputs]
    renamed = dict(zip(given, (leaf.name for leaf in leaves), strict=True))
    renamed |= dict(zip(made, outputs, strict=True))
    settings: dict[str, Any] = {
        "input_names": given,
        "output_names": made,
        "tensors_to_rename": renamed,
    }
    with quiet(), tf.device("/cpu:0"), _kept_normalisation():
        try:
            graph, settings["const_node_values"] = frozen(function, given, made)
            try:
                model = _onnx_of(graph, name, settings, is_careful=False)
            except Exception:
                model = _onnx_of(graph, name, settings, is_careful=True)
        except Exception as error:
            raise BadInput(f"{name} cannot be exported to ONNX: {export_reason(error)}") from error
    _name_sizes(model, leaves)
    return model


def _onnx_of(graph: Any, name: str, settings: dict[str, Any], is_careful: bool) -> Any:
    """Being careful, tf2onnx copies all weights before each of its many steps, so that one that
    fails can be left out."""
    exporter = importlib.import_module("tf2onnx.tfonnx")
    optimizer = importlib.import_module("tf2onnx.optimizer")
    known = optimizer._get_optimizers()
    steps = {one: _tidy(step) for one, step in known.items() if one not in _LEFT_OUT}
    with tf.Graph().as_default() as imported:
        tf.import_graph_def(graph, name="")
        made = exporter.process_tf_graph(
            imported,
            continue_on_error=True,
            opset=_OPSET,
            custom_op_handlers=dict(HANDLERS),
            **settings,
        )
        return optimizer.optimize_graph(made, is_careful, optimizers=steps).make_model(name)


def _tidy(step: Any) -> Any:
    """Each step would write all weights into the messages of the model again, and Protobuf frees
    none of what they held before. Writing them once, at the end, will do."""

    class Tidy(step):  # type: ignore[misc]
        def optimize(self, graph: Any, iteration: int) -> Any:
            graph.update_proto = lambda *_args, **_kwargs: None
            try:
                return super().optimize(graph, iteration)
            finally:
                del graph.update_proto

    return Tidy


def _check_size(function: Any, name: str) -> None:
    size = sum(
        tensor.shape.num_elements() * tensor.dtype.size
        for tensor in function.variables
        if tensor.shape.is_fully_defined()
    )
    if size > _LARGEST:
        raise BadInput(
            f"{name} has {size / 2**30:.1f} GiB of weights; TensorFlow can export at most 2 GiB"
        )


@contextmanager
def _kept_normalisation() -> Iterator[None]:
    """tf2onnx would fold it into the convolution before, and the layer would be gone."""
    pairs = importlib.import_module("tf2onnx.optimizer.back_to_back_optimizer")._func_map
    pair = ("Conv", "BatchNormalization")
    fold = pairs.pop(pair, None)
    try:
        yield
    finally:
        if fold is not None:
            pairs[pair] = fold


def _name_sizes(model: Any, leaves: list[Leaf]) -> None:
    """Dimensions of any size get names that say what they are. Further inputs, such as tables that
    layers look things up in, are read by operators that ONNX does not have."""
    inputs = {declared.name: declared for declared in model.graph.input}
    for place, leaf in enumerate(leaves):
        if leaf.name not in inputs:
            continue
        dims = inputs[leaf.name].type.tensor_type.shape.dim
        for axis, (dim, size) in enumerate(zip(dims, leaf.shape, strict=False)):
            if size is None:
                dim.Clear()
                dim.dim_param = _size_name(axis, len(leaf.shape), leaf.name if place else "")
    unnamed = re.compile(r"unk__\d+")
    for declared in model.graph.output:
        for axis, dim in enumerate(declared.type.tensor_type.shape.dim):
            if axis == 0 and unnamed.fullmatch(dim.dim_param):
                dim.dim_param = "batch"


def _size_name(axis: int, rank: int, first: str) -> str:
    if axis == 0:
        return "batch"
    usual = {(1, 2): "sequence", (1, 3): "sequence", (1, 4): "height", (2, 4): "width"}
    word = usual.get((axis, rank), f"size_{axis}")
    return f"{first}_{word}" if first else word
