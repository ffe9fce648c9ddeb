"""Operators that a model itself makes stand below the model, not in the layers around them."""

from __future__ import annotations

from typing import Any

import pytest
from keras_models import keras, layers

import jouletree as jt

_HERE = keras.config.backend() == "tensorflow"
pytestmark = pytest.mark.skipif(not _HERE, reason="Keras runs on another back end than TensorFlow")


class Mixed(keras.Model):
    """Operators before, between and behind layers, and a weight of its own."""

    def __init__(self) -> None:
        super().__init__(name="mixed")
        self.first = layers.Dense(4, name="first")
        self.second = layers.Dense(4, name="second")
        self.own = self.add_weight(shape=(4, 3), name="own")

    def call(self, x: Any) -> Any:
        x = keras.ops.tanh(self.first(keras.ops.sin(x)))
        return self.second(x) @ self.own


class Around(keras.Model):
    """Holds two of those, and joins what they make."""

    def __init__(self) -> None:
        super().__init__(name="around")
        self.parts = [Mixed(), Mixed()]

    def call(self, x: Any) -> Any:
        return keras.ops.exp(self.parts[0](x)) * self.parts[1](x)


class Repeated(keras.Model):
    """A loop of its own around a layer."""

    def __init__(self) -> None:
        super().__init__(name="repeated")
        self.dense = layers.Dense(4, name="dense")

    def call(self, x: Any) -> Any:
        def body(time: Any, state: Any) -> Any:
            return time + 1, keras.ops.tanh(self.dense(keras.ops.sin(state)))

        return keras.ops.while_loop(lambda time, _state: time < 3, body, (0, x))[1]


def kinds_by_scope(result: jt.Inspection) -> dict[str, list[str]]:
    """Types of the operators of each module, without those below it."""
    found: dict[str, list[str]] = {}
    for row in result.operators:
        found.setdefault(row.scope.rpartition(".")[0], []).append(row.type)
    return {scope: sorted(kinds) for scope, kinds in found.items()}


def test_operators_of_a_written_model_stand_below_it() -> None:
    expected = {"": ["MatMul", "Sin", "Tanh"], "first": ["Gemm"], "second": ["Gemm"]}
    model = Mixed()
    result = jt.inspect(model, (2, 5))
    assert kinds_by_scope(result) == expected
    rows = {row.scope: row for row in result.modules}
    assert rows["first"].macs.value == 2 * 5 * 4
    assert rows["second"].macs.value == 2 * 4 * 4
    assert result.metrics["macs"].value == 2 * (5 * 4 + 4 * 4 + 4 * 3)
    model(keras.ops.zeros((2, 5)))
    assert kinds_by_scope(jt.inspect(model, (2, 5))) == expected


def test_operators_of_a_model_inside_another_stay_in_it() -> None:
    found = kinds_by_scope(jt.inspect(Around(), (2, 5)))
    assert found[""] == ["Exp", "Mul"]
    for part in ("mixed", "mixed_2"):
        assert found[part] == ["MatMul", "Sin", "Tanh"]
        assert found[f"{part}.first"] == found[f"{part}.second"] == ["Gemm"]


def test_operators_between_the_layers_of_a_graph_stand_below_the_model() -> None:
    x = keras.Input((8, 8, 3))
    y = layers.Conv2D(4, 3, padding="same", name="first")(x)
    y = keras.ops.relu(y) * 2.0
    y = layers.Conv2D(4, 3, padding="same", name="second")(y) + y
    found = kinds_by_scope(jt.inspect(keras.Model(x, y, name="graph")))
    assert {"Relu", "Mul", "Add"} <= set(found[""])
    assert "Conv" in found["first"] and "Conv" in found["second"]
    assert not {"Relu", "Mul", "Add"} & {*found["first"], *found["second"]}


def test_operators_of_a_loop_of_the_model_stand_in_the_loop() -> None:
    rows = jt.inspect(Repeated(), (2, 4)).operators
    scopes = {row.type: row.scope for row in rows}
    assert "dense" in scopes["Gemm"].split(".")
    for kind in ("Sin", "Tanh"):
        assert "dense" not in scopes[kind].split(".")
