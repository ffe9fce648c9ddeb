"""A traced function as one graph without variables."""

from __future__ import annotations

import importlib
from typing import Any

import tensorflow as tf

#: Inlines calls and drops what nobody reads. TensorFlow's folding of constants is left out: it
#: removes additions of zeros, which new biases are, and moves a factor behind a convolution into
#: the convolution, so that counts would depend on the values of weights.
_STEPS = ("function", "dependency", "pruning")
#: Says of a function or a call of it that XLA compiles it as a whole.
_COMPILED = ("_XlaMustCompile", "_noinline")


def frozen(function: Any, inputs: list[str], outputs: list[str]) -> tuple[Any, dict[str, bytes]]:
    """As a tf.compat.v1.GraphDef without large weights, and those by the names of their nodes:
    every step that follows would copy them."""
    loader = importlib.import_module("tf2onnx.tf_loader")
    freezer = importlib.import_module("tensorflow.python.framework.convert_to_constants")
    made = freezer.convert_variables_to_constants_v2(
        function, lower_control_flow=False, aggressive_inlining=True
    )
    graph = loader.fix_freezing_errors_part2(made.graph.as_graph_def(add_shapes=True))
    _open_calls(graph)
    weights = importlib.import_module("tf2onnx.tf_utils").compress_graph_def(graph)
    with tf.Graph().as_default():
        tf.import_graph_def(graph, name="")
        return _optimised(graph, inputs, outputs), weights


def _open_calls(graph: Any) -> None:
    """A SavedModel holds calls that Keras has compiled, such as grouped convolutions; as those of
    any other function they can be inlined."""
    functions = graph.library.function
    marked = [*graph.node, *functions, *(node for one in functions for node in one.node_def)]
    for one in marked:
        for key in _COMPILED:
            one.attr.pop(key, None)


def _optimised(graph: Any, inputs: list[str], outputs: list[str]) -> Any:
    messages = importlib.import_module("tensorflow.core.protobuf.meta_graph_pb2")
    optimiser = importlib.import_module("tensorflow.python.grappler.tf_optimizer")
    settings = tf.compat.v1.ConfigProto()
    settings.graph_options.infer_shapes = True
    settings.graph_options.rewrite_options.optimizers[:] = _STEPS
    whole = tf.compat.v1.train.export_meta_graph(graph_def=graph)
    kept = messages.CollectionDef()
    kept.node_list.value.extend([*inputs, *outputs])
    whole.collection_def["train_op"].CopyFrom(kept)
    return optimiser.OptimizeGraph(settings, whole)
