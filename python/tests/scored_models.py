"""A small classifier that tests train themselves, on data that they make."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

INPUTS, HIDDEN, CLASSES = 6, 16, 7


@dataclass(frozen=True)
class Trained:
    """Weights of two layers, and examples that they never saw."""

    weights: list[np.ndarray[Any, Any]]
    x: np.ndarray[Any, Any]
    y: np.ndarray[Any, Any]

    def logits(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        first, bias, second, other_bias = self.weights
        hidden = np.maximum(x @ first + bias, 0)
        return np.asarray(hidden @ second + other_bias)

    def accuracy(self) -> float:
        """What a training script reports."""
        return float((self.logits(self.x).argmax(1) == self.y).mean())


def examples(count: int, seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Blobs that overlap, so that no classifier gets all of them right."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(7).normal(size=(CLASSES, INPUTS)) * 1.2
    y = random.integers(0, CLASSES, count)
    return (centres[y] + random.normal(size=(count, INPUTS))).astype(np.float32), y


def trained(count: int = 203, seed: int = 1) -> Trained:
    """By gradient descent, in NumPy."""
    x, y = examples(400, seed)
    random = np.random.default_rng(seed)
    first = random.normal(size=(INPUTS, HIDDEN)) * 0.3
    second = random.normal(size=(HIDDEN, CLASSES)) * 0.3
    bias, other_bias = np.zeros(HIDDEN), np.zeros(CLASSES)
    for _ in range(150):
        hidden = np.maximum(x @ first + bias, 0)
        logits = hidden @ second + other_bias
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        shares[np.arange(len(y)), y] -= 1
        shares /= len(y)
        back = (shares @ second.T) * (hidden > 0)
        second -= 0.5 * hidden.T @ shares
        other_bias -= 0.5 * shares.sum(0)
        first -= 0.5 * x.T @ back
        bias -= 0.5 * back.sum(0)
    weights = [one.astype(np.float32) for one in (first, bias, second, other_bias)]
    return Trained(weights, *examples(count, seed + 1))


def write_onnx(
    model: Trained, path: Path, batch: int | str = "batch", softmax: bool = False
) -> str:
    """With the batch dimension open, or fixed."""
    from onnx import TensorProto, helper, numpy_helper, save

    names = ["w1", "b1", "w2", "b2"]
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("Gemm", ["r", "w2", "b2"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["shares"], axis=1),
    ]
    outputs = ["shares", "logits"] if softmax else ["logits"]
    graph = helper.make_graph(
        nodes if softmax else nodes[:-1],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, INPUTS])],
        [
            helper.make_tensor_value_info(one, TensorProto.FLOAT, [batch, CLASSES])
            for one in outputs
        ],
        [
            numpy_helper.from_array(one, name)
            for name, one in zip(names, model.weights, strict=True)
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    save(made, str(path))
    return str(path)
