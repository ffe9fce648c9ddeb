"""What is said of models and files that cannot be counted or measured, and of those that can after
all."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import onnxruntime
import pytest
from keras_models import keras, layers, small

import jouletree as jt
from jouletree.keras.exporting import exported

_HERE = keras.config.backend() == "tensorflow"
pytestmark = pytest.mark.skipif(not _HERE, reason="Keras runs on another back end than TensorFlow")


class Assigning(layers.Layer):
    def build(self, _shape: Any) -> None:
        import tensorflow as tf

        self.kept = tf.Variable(tf.zeros((4,)))

    def call(self, x: Any) -> Any:
        self.kept.assign(x[0])
        return x + self.kept


@pytest.mark.parametrize(
    ("make", "kind", "name"),
    [
        (lambda: layers.IntegerLookup(vocabulary=[4, 5], name="words"), "int64", "IntegerLookup"),
        (lambda: layers.StringLookup(vocabulary=["a"], name="words"), "string", "StringLookup"),
        (
            lambda: layers.TextVectorization(vocabulary=["a"], name="words"),
            "string",
            "TextVectorization",
        ),
    ],
)
def test_a_layer_that_looks_up_in_a_table_is_named(make: Any, kind: str, name: str) -> None:
    model = keras.Sequential(
        [keras.Input((1,), dtype=kind), make(), layers.Embedding(5, 2)], name="looked"
    )
    with pytest.raises(jt.BadInput, match=rf"^the layer words \({name}\) of looked cannot be exp"):
        jt.inspect(model)


def test_a_layer_that_keeps_its_state_is_counted_as_one_call() -> None:
    def made(stateful: bool) -> Any:
        recurrent = layers.GRU(3, stateful=stateful, name="recurrent")
        return keras.Sequential([keras.Input(batch_shape=(2, 5, 4)), recurrent, layers.Dense(2)])

    model = made(True)
    assert jt.inspect(model).metrics["macs"].value == jt.inspect(made(False)).metrics["macs"].value
    x = np.random.default_rng(1).uniform(-1, 1, (2, 5, 4)).astype(np.float32)
    model(x)
    session = onnxruntime.InferenceSession(exported(model, None).content)
    (found,) = session.run(None, {session.get_inputs()[0].name: x})
    np.testing.assert_allclose(found, np.asarray(model(x)), rtol=1e-4, atol=1e-5)
    again = np.asarray(model(x))
    assert not np.allclose(found, again), "the model itself still keeps its state"


def test_what_exporters_say_is_told_without_marks() -> None:
    model = keras.Sequential([keras.Input((4,)), Assigning(name="assigning")], name="m")
    with pytest.raises(
        jt.BadInput, match=r"^the layer assigning \(Assigning\) of m .*variable"
    ) as e:
        jt.inspect(model)
    assert "jouletree" not in str(e.value)


def test_training_steps_are_refused_as_such() -> None:
    with pytest.raises(jt.BadInput, match="training steps of Keras models cannot be measured yet"):
        jt.profile(small(), mode="train", loss=print, target=np.zeros((1, 6)))
    with pytest.raises(jt.BadInput, match=r"^kwargs: only for PyTorch models, not for those of K"):
        jt.profile(small(), kwargs={"training": True})


def test_damaged_files_and_files_of_weights_are_told(tmp_path: pathlib.Path) -> None:
    model = small()
    for name in ("m.keras", "m.h5"):
        whole = tmp_path / name
        model.save(whole)
        short = tmp_path / f"short_{name}"
        short.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
        with pytest.raises(jt.BadInput, match=rf"short_{name} cannot be loaded: .* is damaged"):
            jt.inspect(short)
    model.save_weights(tmp_path / "m.weights.h5")
    with pytest.raises(
        jt.BadInput, match=r"m\.weights\.h5 cannot be loaded: it holds weights only"
    ):
        jt.inspect(tmp_path / "m.weights.h5")


def test_a_saved_model_with_a_compiled_part_is_counted_by_layers(tmp_path: pathlib.Path) -> None:
    """Keras has grouped convolutions compiled."""
    grouped = layers.Conv2D(4, 3, groups=2, name="grouped")
    model = keras.Sequential([keras.Input((8, 8, 4)), grouped, layers.Conv2D(2, 1, name="last")])
    model.export(tmp_path / "saved", verbose=False)
    result = jt.inspect(tmp_path / "saved")
    rows = {row.scope: (row.params.value, row.macs.value) for row in result.modules}
    assert rows["grouped"] == (grouped.count_params(), 6 * 6 * 4 * 3 * 3 * 2)
    assert rows["last"] == (4 * 2 + 2, 6 * 6 * 4 * 2)
    assert result.metrics["params"].value == model.count_params()


def test_a_class_that_a_file_refers_to_is_named(tmp_path: pathlib.Path) -> None:
    model = keras.Sequential([keras.Input((4,)), Assigning(name="assigning")], name="m")
    model.save(tmp_path / "own.keras")
    expected = r"own\.keras cannot be loaded: the class Assigning .*none of Keras; load it with"
    with pytest.raises(jt.BadInput, match=expected):
        jt.inspect(tmp_path / "own.keras")


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_a_class_that_cannot_be_copied_is_told_what_it_needs(
    backend: str, tmp_path: pathlib.Path
) -> None:
    pytest.importorskip(backend, reason=f"{backend} is not installed")
    (tmp_path / "closed.py").write_text(
        "import keras\n"
        "class Closed(keras.Model):\n"
        "    def __init__(self):\n"
        "        super().__init__(name='closed')\n"
        "        self.dense = keras.layers.Dense(2)\n"
        "    def call(self, x):\n"
        "        return self.dense(x)\n"
        "class Inner(keras.layers.Layer):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "    def call(self, x):\n"
        "        return x * 2\n"
    )
    code = (
        "import closed, jouletree\n"
        "inner = closed.keras.Sequential([closed.keras.Input((3,)), closed.Inner()])\n"
        "for model in (closed.Closed(), inner):\n"
        "    try:\n"
        "        jouletree.inspect(model, (1, 3))\n"
        "    except jouletree.BadInput as error:\n"
        "        print(error)\n"
    )
    paths = os.pathsep.join([*sys.path, str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "KERAS_BACKEND": backend, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for name, line in zip(("Closed", "Inner"), done.stdout.splitlines(), strict=True):
        assert f"Keras cannot make closed.{name} from what its get_config returns" in line
        assert "**kwargs" in line and line.endswith("or run with KERAS_BACKEND=tensorflow")
