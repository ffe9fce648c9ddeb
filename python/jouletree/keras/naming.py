"""Nodes of an exported model are named after their layers, and the model tells what these have."""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from jouletree.errors import BadInput
from jouletree.keras.layers import LayerTree, Path, Place

#: In the metadata of an ONNX model; the library reads it.
_MODULES_KEY = "jouletree.modules"

Found = tuple[Place, str]


def check_operators(model: Any, tree: LayerTree, name: str) -> None:
    """Operations that ONNX does not have stay in the file as they are; such a file cannot run."""
    node = _unknown_node(model)
    if node is None:
        return
    found = _told_place(node, tree, set())
    layer = name if found is None else tree.name_of(found[0], name)
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
    for node, (place, rest) in _placed(model.graph, tree, tree.places[0]):
        used.add(place.path)
        # A slash in front says that it belongs to the model itself, not to its neighbours.
        path = place.path or ("",)
        node.name = distinct("/".join((*path, _leaf_of(node, tree.rest_of(place, rest)))), taken)
    state_modules(model, tree.described(used))


def _placed(graph: Any, tree: LayerTree, around: Place) -> Iterator[tuple[Any, Found]]:
    """All nodes with their places. What the exporter adds without a word belongs to the layer that
    reads it, else to the one that it reads, else to the one around the body that it is in."""
    stored = {one.name for one in graph.initializer}
    nodes = list(graph.node)
    found = [_told_place(node, tree, stored) for node in nodes]
    makers = {value: at for at, node in enumerate(nodes) for value in node.output}
    readers: dict[str, list[int]] = defaultdict(list)
    for at, node in enumerate(nodes):
        for value in node.input:
            readers[value].append(at)
    for at in reversed(range(len(nodes))):
        near = (reader for value in nodes[at].output for reader in readers[value])
        found[at] = found[at] or _place_among(near, found)
    for at, node in enumerate(nodes):
        near = (makers[value] for value in node.input if value in makers)
        place = found[at] or _place_among(near, found) or (around, "")
        found[at] = place
        yield node, place
        for body in _bodies_of(node):
            yield from _placed(body, tree, place[0])


def _place_among(near: Iterable[int], found: list[Found | None]) -> Found | None:
    return next(((told[0], "") for one in near if (told := found[one]) is not None), None)


def _told_place(node: Any, tree: LayerTree, stored: set[str]) -> Found | None:
    """As the names say: its own, with what that says beyond the place, that of what it makes, and
    those of its weights."""
    told = tree.marked_in(node.name)
    if told is not None:
        return told
    for name in (*node.output, *(value for value in node.input if value in stored)):
        told = tree.marked_in(name)
        if told is not None:
            return told[0], ""
    return None


def _leaf_of(node: Any, rest: str) -> str:
    """The last part of its name. The exporter numbers the nodes that it adds."""
    leaf = rest.rpartition("/")[2].partition(":")[0]
    return str(node.op_type) if not leaf or re.search(r"__\d+$", leaf) else leaf


def state_modules(model: Any, rows: Iterable[tuple[Path, str, int, int]]) -> None:
    """Writes path, class, parameters and trainable ones of layers into the model."""
    lines = ["\t".join(("/".join(path), kind, *map(str, counts))) for path, kind, *counts in rows]
    entry = model.metadata_props.add()
    entry.key, entry.value = _MODULES_KEY, "\n".join(lines)


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
        for body in _bodies_of(node):
            yield from nodes_in(body)


def _bodies_of(node: Any) -> Iterator[Any]:
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs
