"""Operations of TensorFlow that tf2onnx does not know, written with those of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np

_TYPES = {1: np.float32, 10: np.float16, 11: np.float64}


def _with_one(graph: Any, node: Any, name: str, kind: str, one_first: bool) -> None:
    """An operation of one input, and its difference from one."""
    shapes, types = [graph.get_shape(node.output[0])], [graph.get_dtype(node.output[0])]
    graph.remove_node(node.name)
    inner = graph.make_node(kind, node.input, shapes=shapes, dtypes=types).output[0]
    one = graph.make_const(f"{name}_one", np.array(1, _TYPES.get(types[0], np.float32))).output[0]
    terms = [one, inner] if one_first else [inner, one]
    graph.make_node("Sub", terms, name=name, outputs=node.output, shapes=shapes, dtypes=types)


def _complementary_error_function(graph: Any, node: Any, name: str, _args: Any) -> None:
    """1 - erf(x); TensorFlow computes GELU with it."""
    _with_one(graph, node, name, "Erf", one_first=True)


def _exponential_less_one(graph: Any, node: Any, name: str, _args: Any) -> None:
    """exp(x) - 1, which CELU takes."""
    _with_one(graph, node, name, "Exp", one_first=False)


#: As tf2onnx takes them: by operation, each with what it is called with besides.
HANDLERS: dict[str, tuple[Any, list[Any]]] = {
    "Erfc": (_complementary_error_function, []),
    "Expm1": (_exponential_less_one, []),
}
