"""Keras models that the tests make, with random weights."""

from __future__ import annotations

import math
import os
from typing import Any

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
_REASON = "TensorFlow, Keras and tf2onnx are not installed: run scripts/setup-keras.sh"
for _needed in ("keras", "tensorflow", "tf2onnx"):
    pytest.importorskip(_needed, reason=_REASON)

import keras

layers = keras.layers


class Block(layers.Layer):
    """A block of a transformer."""

    def __init__(self, width: int, heads: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.width, self.heads = width, heads
        self.attention = layers.MultiHeadAttention(heads, width // heads)
        self.first_norm = layers.LayerNormalization(name="first_norm")
        self.second_norm = layers.LayerNormalization(name="second_norm")
        self.feed = keras.Sequential(
            [layers.Dense(4 * width, activation="gelu"), layers.Dense(width)], name="feed"
        )

    def call(self, x: Any) -> Any:
        y = self.first_norm(x)
        x = x + self.attention(y, y)
        return x + self.feed(self.second_norm(x))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "width": self.width, "heads": self.heads}


def transformer(width: int = 32, blocks: int = 2) -> Any:
    words = keras.Input((None,), dtype="int32", name="words")
    x = layers.Embedding(100, width, name="embedding")(words)
    for place in range(blocks):
        x = Block(width, 4, name=f"block_{place}")(x)
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(words, layers.Dense(7, name="head")(x), name="transformer")


def small() -> Any:
    """Shared and nested layers, one without an operator, and normalisation."""
    picture = keras.Input((16, 16, 3), name="picture")
    shared = layers.Conv2D(4, 3, padding="same", name="shared")
    x = shared(layers.Conv2D(3, 1, name="conv")(shared(picture)))
    x = layers.BatchNormalization(name="norm")(x)
    inner = keras.Sequential(
        [layers.Dense(5, name="wide"), layers.Dropout(0.5), layers.Dense(6, name="last")],
        name="inner",
    )
    x = layers.GlobalAveragePooling2D(name="pool")(inner(x))
    return keras.Model(picture, x, name="small")


def macs_by_hand(model: Any) -> int:
    """Of convolutions and dense layers, one picture: every kernel at every place of its output."""
    total = 0
    for layer in model._flatten_layers(include_self=False, recursive=True):
        kind = type(layer).__name__
        if kind in ("Conv2D", "DepthwiseConv2D"):
            _, height, width, _ = layer.output.shape
            total += math.prod(layer.kernel.shape) * height * width
        elif kind == "Dense":
            total += math.prod(layer.kernel.shape)
    return total
