"""A traced graph of TensorFlow as an ONNX model whose nodes are named after their layers."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf

from jouletree.errors import BadInput
from jouletree.keras.freezing import frozen
from jouletree.keras.handlers import HANDLERS
from jouletree.keras.layers import LayerTree, Path, Place
from jouletree.keras.quiet import quiet
from jouletree.keras.reasons import first_sentence
from jouletree.keras.signatures import Leaf

_OPSET = 17
#: In the metadata of an ONNX model; the library reads it.
_MODULES_KEY = "jouletree.modules"
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
            raise BadInput(f"{name} cannot be exported to ONNX: {first_sentence(error)}") from error
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
    """Dimensions of any size get names that say what they are."""
    for place, (declared, leaf) in enumerate(zip(model.graph.input, leaves, strict=True)):
        dims = declared.type.tensor_type.shape.dim
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


def check_operators(model: Any, tree: LayerTree, name: str) -> None:
    """Operations that ONNX does not have stay in the file as they are; such a file cannot run."""
    node = _unknown_node(model)
    if node is None:
        return
    found = _place_of(node, tree)
    layer = name
    if found is not None and found[0].path:
        layer = f"the layer {'.'.join(found[0].path)} ({type(found[0].layer).__name__}) of {name}"
    raise _without_counterpart(layer, node)


def check_known(model: Any, name: str) -> None:
    """The same for a model whose layers nobody knows."""
    node = _unknown_node(model)
    if node is not None:
        raise _without_counterpart(f"the operation {node.name} of {name}", node)


def _unknown_node(model: Any) -> Any:
    onnx = importlib.import_module("onnx")
    versions = {entry.domain: entry.version for entry in model.opset_import}
    for node in nodes_in(model.graph):
        if node.domain in versions and not onnx.defs.has(
            node.op_type, versions[node.domain], node.domain
        ):
            return node
    return None


def _without_counterpart(what: str, node: Any) -> BadInput:
    return BadInput(
        f"{what} cannot be exported: ONNX has no counterpart of TensorFlow's {node.op_type}"
    )


def name_after_layers(model: Any, tree: LayerTree) -> None:
    """Nodes are named by the path of their layer; the file tells the classes and the parameters of
    the layers."""
    used: set[Path] = set()
    taken: set[str] = set()
    made_in: dict[str, Place] = {}
    for node in nodes_in(model.graph):
        found = _place_of(node, tree)
        if found is None:
            # What the exporter adds between two layers goes to the first of them.
            places = (made_in[name] for name in node.input if name in made_in)
            place, leaf = next(places, tree.places[0]), node.op_type
        else:
            place = found[0]
            leaf = _leaf_of(node, tree.rest_of(*found))
        made_in.update(dict.fromkeys(node.output, place))
        used.add(place.path)
        # A slash in front says that it belongs to the model itself, not to its neighbours.
        path = place.path or ("",)
        node.name = distinct("/".join((*path, leaf)), taken)
    state_modules(model, tree.described(used))


def _leaf_of(node: Any, rest: str) -> str:
    """The last part of its name. The exporter numbers the nodes that it adds."""
    leaf = rest.rpartition("/")[2].partition(":")[0]
    return str(node.op_type) if not leaf or re.search(r"__\d+$", leaf) else leaf


def state_modules(model: Any, rows: Iterable[tuple[Path, str, int, int]]) -> None:
    """Writes path, class, parameters and trainable ones of layers into the model."""
    lines = ["\t".join(("/".join(path), kind, *map(str, counts))) for path, kind, *counts in rows]
    entry = model.metadata_props.add()
    entry.key, entry.value = _MODULES_KEY, "\n".join(lines)


def _place_of(node: Any, tree: LayerTree) -> tuple[Place, str] | None:
    """Of a node, with what its name says beyond that. Where the name tells nothing, what it makes
    and what it reads do."""
    found = tree.marked_in(node.name)
    if found is not None:
        return found
    for name in (*node.output, *node.input):
        found = tree.marked_in(name)
        if found is not None:
            return found[0], ""
    return None


def distinct(name: str, taken: set[str]) -> str:
    times, wanted = 1, name
    while name in taken:
        times += 1
        name = f"{wanted}_{times}"
    taken.add(name)
    return name


def nodes_in(graph: Any) -> Iterator[Any]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from nodes_in(attribute.g)
            for inner in attribute.graphs:
                yield from nodes_in(inner)
