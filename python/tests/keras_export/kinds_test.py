"""Models of all kinds, what is said of those that cannot be exported, and what stays as it was."""

from __future__ import annotations

import logging
import pathlib
import random
import tempfile
from typing import Any

import numpy as np
import onnxruntime
import pytest
from keras_models import keras, layers, small, transformer

import jouletree as jt
from jouletree.keras.exporting import exported

_HERE = keras.config.backend() == "tensorflow"
pytestmark = pytest.mark.skipif(not _HERE, reason="Keras runs on another back end than TensorFlow")


class Written(keras.Model):
    """Made by a class, so that its inputs are unknown before it is called."""

    def __init__(self) -> None:
        super().__init__(name="written")
        self.first = layers.Dense(4, name="first")
        self.others = [layers.Dense(3, name="same"), layers.Dense(2, name="same")]

    def call(self, x: Any) -> Any:
        x = self.first(x)
        for other in self.others:
            x = other(x)
        return x + 1.0


class Two(keras.Model):
    def __init__(self) -> None:
        super().__init__(name="two")
        self.dense = layers.Dense(4, name="dense")

    def call(self, first: Any, second: Any) -> Any:
        return self.dense(first) + self.dense(second)


class Named(keras.Model):
    def __init__(self) -> None:
        super().__init__(name="named")
        self.dense = layers.Dense(4, name="dense")

    def call(self, inputs: Any) -> Any:
        return {"sum": self.dense(inputs["a"]) + inputs["b"], "b": inputs["b"]}


class Strange(layers.Layer):
    def call(self, x: Any) -> Any:
        import tensorflow as tf

        return tf.raw_ops.Betainc(a=x, b=x, x=x)


class Failing(layers.Layer):
    def call(self, x: Any) -> Any:
        if not isinstance(x, keras.KerasTensor):
            raise RuntimeError("it wants more")
        return x

    def compute_output_shape(self, shape: Any) -> Any:
        return shape


def recurrent() -> Any:
    return keras.Sequential(
        [
            keras.Input((None, 5)),
            layers.Bidirectional(layers.LSTM(8, return_sequences=True), name="both"),
            layers.GRU(4, name="gru"),
            layers.Dense(2, name="dense"),
        ],
        name="recurrent",
    )


def state_of(model: Any) -> list[dict[str, Any]]:
    state = []
    for layer in model._flatten_layers(include_self=True, recursive=True):
        state.append(
            {
                name: list(map(id, value)) if isinstance(value, (list, set)) else id(value)
                for name, value in vars(layer).items()
            }
        )
    return state


@pytest.mark.parametrize("make", [small, transformer, recurrent])
def test_what_is_exported_computes_what_the_model_computes(make: Any) -> None:
    model = make()
    model.set_weights(
        [np.random.default_rng(1).uniform(0.1, 0.5, w.shape) for w in model.get_weights()]
    )
    shapes = {"small": (2, 16, 16, 3), "transformer": (2, 9), "recurrent": (2, 7, 5)}
    x = np.random.default_rng(2).uniform(0, 9, shapes[model.name])
    x = x.astype(model.inputs[0].dtype)
    made = exported(model, None)
    session = onnxruntime.InferenceSession(made.content)
    (found,) = session.run(None, {session.get_inputs()[0].name: x})
    np.testing.assert_allclose(found, np.asarray(model(x)), rtol=2e-3, atol=1e-4)


@pytest.mark.parametrize("make", [small, Written, recurrent])
def test_nothing_of_the_model_and_of_keras_changes(
    make: Any, capfd: Any, tmp_path: pathlib.Path, monkeypatch: Any
) -> None:
    # A folder of its own: other tests that run meanwhile have temporary files, too.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    model = make()
    calls = keras.layers.Layer.__call__
    before, handlers = state_of(model), list(logging.root.handlers)
    next_name = keras.layers.Dense(1).name
    drawn = random.getstate()
    jt.inspect(model, (1, 6) if make is Written else None)
    assert state_of(model) == before and random.getstate() == drawn
    assert keras.layers.Layer.__call__ is calls and logging.root.handlers == handlers
    number = int(next_name.rpartition("_")[2]) if "_" in next_name else 0
    assert keras.layers.Dense(1).name == f"dense_{number + 1}"
    assert list(tmp_path.glob("jouletree-*")) == []
    assert capfd.readouterr() == ("", "")


def test_a_model_that_was_never_built_needs_what_it_is_called_with() -> None:
    for model in (Written(), keras.Sequential([layers.Dense(4)])):
        with pytest.raises(jt.BadInput, match=r"was never built.*give what it is called with as x"):
            jt.inspect(model)
    model = Written()
    result = jt.inspect(model, (1, 6))
    assert result.metrics["params"].value == 7 * 4 + 5 * 3 + 4 * 2
    assert not model.built
    scopes = {row.scope for row in result.modules}
    assert {"first", "same", "same_2"} <= scopes
    array = jt.inspect(model, np.zeros((3, 6), np.float32))
    assert array.metrics["macs"].value == 3 * result.metrics["macs"].value
    model(np.zeros((2, 6), np.float32))
    assert jt.inspect(model).metrics["macs"].value == result.metrics["macs"].value


def test_several_inputs_are_given_in_order_or_by_name() -> None:
    assert jt.inspect(Two(), [(1, 3), (1, 3)]).metrics["params"].value == 16
    result = jt.inspect(Named(), {"a": (2, 3), "b": (2, 4)})
    assert [one["name"] for one in result.inputs] == ["a", "b"]
    a, b = keras.Input((8,), name="a"), keras.Input((4,), name="b")
    dense = layers.Dense(4, name="dense")
    model = keras.Model({"b": b, "a": a}, [dense(a), layers.Add()([dense(a), b])])
    result = jt.inspect(model, {"b": (5, 4), "a": (5, 8)})
    assert {one["name"]: one["shape"] for one in result.inputs} == {"a": [5, 8], "b": [5, 4]}


def test_recurrent_layers_take_sequences_of_any_length() -> None:
    model = recurrent()
    result = jt.inspect(model, dims={"sequence": 7})
    assert result.metrics["params"].value == model.count_params()
    assert result.inputs[0]["shape"] == [1, 7, 5]
    assert result.metrics["macs"].value > 0


def test_mixed_precision_is_exported_as_it_is() -> None:
    policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy("mixed_float16")
    try:
        model = small()
    finally:
        keras.config.set_dtype_policy(policy)
    assert jt.inspect(model).metrics["params"].value == model.count_params()


@pytest.mark.parametrize(
    ("layer", "reason"),
    [
        (Strange(name="strange"), r"the layer strange \(Strange\) of .* TensorFlow's Betainc"),
        (Failing(name="failing"), r"the layer failing \(Failing\) of .*: it wants more$"),
    ],
)
def test_a_layer_that_cannot_be_exported_is_named(layer: Any, reason: str) -> None:
    model = keras.Sequential([keras.Input((3,)), layers.Dense(4), layer])
    with pytest.raises(jt.BadInput, match=reason):
        jt.inspect(model)


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(jt.BadInput, match=r"is a layer \(Dense\): put it into a model"):
        jt.inspect(layers.Dense(3))
    with pytest.raises(jt.BadInput, match="is a class"):
        jt.inspect(keras.Model)
    with pytest.raises(jt.BadInput, match="kwargs"):
        jt.inspect(small(), kwargs={"training": True})


def test_models_are_compared_and_profiled() -> None:
    model = small()
    assert jt.compare(model, transformer()).labels == ["small", "transformer"]
    profile = jt.profile(model, budget="1s", baseline=0, name=None)
    assert profile.name == "small"
    assert profile.metrics["params"].value == model.count_params()
    assert profile.metrics["time_s"].value > 0
    assert "shared" in str(profile.table(depth=9))
    with pytest.raises(jt.BadInput, match="mode"):
        jt.profile(model, mode="train")


def test_files_and_folders_are_read_without_running_their_code(tmp_path: pathlib.Path) -> None:
    model = small()
    model.save(tmp_path / "m.keras")
    model.export(tmp_path / "saved", verbose=False)
    for path in (tmp_path / "m.keras", tmp_path / "saved"):
        result = jt.inspect(path)
        assert result.metrics["params"].value == model.count_params()
        rows = {row.scope: row for row in result.modules}
        assert rows["inner.wide"].params.value == 25
        assert rows["shared"].macs.value == 2 * 16 * 16 * 3 * 3 * 3 * 4
    risky = keras.Sequential([keras.Input((3,)), layers.Lambda(lambda x: x * 2)])
    risky.save(tmp_path / "risky.keras")
    with pytest.raises(jt.BadInput, match=r"cannot be loaded.*give the model itself"):
        jt.inspect(tmp_path / "risky.keras")
    assert jt.inspect(risky).metrics["params"].value == 0
    (tmp_path / "broken.keras").write_bytes(b"nothing")
    with pytest.raises(jt.BadInput, match=r"broken\.keras cannot be loaded"):
        jt.inspect(tmp_path / "broken.keras")
