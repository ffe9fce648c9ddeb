"""The folder of a SavedModel as an ONNX model. Its layers are known by the names that Keras left in
the graph; their classes are not in the folder."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import tensorflow as tf

from jouletree._onnx_model import OnnxModel
from jouletree.errors import BadInput
from jouletree.keras import conversion, naming
from jouletree.keras.reasons import first_sentence
from jouletree.keras.signatures import Leaf

_CALL = "StatefulPartitionedCall"


def exported_folder(folder: str, called: str) -> OnnxModel:
    """Through the signature that serves, or the only one."""
    try:
        loaded = tf.saved_model.load(folder)
    except Exception as error:
        raise BadInput(f"{called} cannot be loaded: {first_sentence(error)}") from error
    signatures = getattr(loaded, "signatures", {})
    names = sorted(signatures)
    usual = [name for name in ("serving_default", "serve") if name in signatures]
    if not usual and len(names) != 1:
        raise BadInput(
            f"{called} has no signature 'serving_default'"
            + (f"; it has: {', '.join(names)}" if names else "")
            + ": export the model again with model.export(folder) in Keras"
        )
    function = signatures[usual[0] if usual else names[0]]
    leaves = _leaves_of(function)
    outputs = [
        f"output_{place}" if len(function.outputs) != len(function.structured_outputs) else name
        for place, name in enumerate(sorted(function.structured_outputs))
    ]
    name = Path(folder).resolve().name
    made = conversion.converted(function, leaves, outputs, name)
    naming.check_known(made, called)
    _name_after_scopes(made)
    scopes = {node.name.partition("/")[0] for node in naming.nodes_in(made.graph)}
    naming.state_modules(made, _parameters_of(loaded, function, scopes))
    return OnnxModel(made.SerializeToString(), name)


def _leaves_of(function: Any) -> list[Leaf]:
    """In the order of the tensors that the function takes."""
    leaves = []
    for tensor in function.inputs[: len(function.inputs) - len(function.captured_inputs)]:
        shape = () if tensor.shape.rank is None else tuple(tensor.shape.as_list())
        leaves.append(Leaf(tensor.name.partition(":")[0], shape, tensor.dtype.name))
    return leaves


def _name_after_scopes(model: Any) -> None:
    """The scope of the model itself, which all nodes are in, says nothing; and Keras enters each
    scope twice, so that TensorFlow adds a number to all names."""
    nodes = list(naming.nodes_in(model.graph))
    paths = [_scope_of(node.name) for node in nodes]
    inside = [path for path in paths if path]
    common = inside[0][0] if inside and all(path[0] == inside[0][0] for path in inside) else None
    is_keras = bool(inside) and all(re.search(r"_\d+$", path[0]) for path in inside)
    taken: set[str] = set()
    for node, path in zip(nodes, paths, strict=True):
        leaf = node.name.rpartition("/")[2]
        leaf = node.op_type if not leaf or re.search(r"__\d+$", leaf) else leaf
        steps = path[1:] if common is not None and path else path
        if is_keras:
            steps = [re.sub(r"_\d+$", "", step) for step in steps if re.search(r"_\d+$", step)]
        name = "/".join((*steps, leaf))
        # Without a scope of its own it belongs to its neighbours.
        node.name = naming.distinct(name if steps or not path else "/" + leaf, taken)


def _scope_of(name: str) -> list[str]:
    parts = [part for part in name.split("/") if part and not part.startswith(_CALL)]
    return parts[:-1]


def _parameters_of(
    loaded: Any, function: Any, scopes: set[str]
) -> list[tuple[tuple[str, ...], str, int, int]]:
    """Of each scope that holds variables, and of the whole."""
    variables = getattr(loaded, "variables", None)
    variables = list(function.variables if not isinstance(variables, (list, tuple)) else variables)
    totals: dict[tuple[str, ...], list[int]] = {(): [0, 0]}
    paths = [(one, one.name.partition(":")[0].split("/")) for one in _once(variables)]
    paths = [(one, path) for one, path in paths if "seed_generator_state" not in path]
    first = {path[0] if len(path) > 1 else "" for _, path in paths}
    # The name of the model itself stands before all, where its call made the variables.
    is_whole = len(first) == 1 and not first & (scopes | {""})
    for variable, whole in paths:
        path = whole[1:] if is_whole else whole
        size = math.prod(variable.shape)
        for depth in range(len(path)):
            total = totals.setdefault(tuple(path[:depth]), [0, 0])
            total[0] += size
            total[1] += size if variable.trainable else 0
    return [(path, "", params, trainable) for path, (params, trainable) in totals.items()]


def _once(variables: list[Any]) -> list[Any]:
    return list({id(one): one for one in variables}.values())
