"""Keras models are counted as Keras counts them, layer by layer."""

from __future__ import annotations

import json
import math
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from keras_models import keras, layers, macs_by_hand, small, transformer

import jouletree as jt

_ARCHITECTURES = ("MobileNetV2", "ResNet50", "VGG19", "EfficientNetB0")


def trainable(model: Any) -> int:
    return sum(math.prod(weight.shape) for weight in model.trainable_weights)


def rows_of(result: jt.Inspection) -> dict[str, Any]:
    return {row.scope: row for row in result.modules}


@pytest.mark.parametrize("name", _ARCHITECTURES)
def test_an_architecture_has_the_parameters_and_the_work_of_its_layers(name: str) -> None:
    model = getattr(keras.applications, name)(weights=None)
    result = jt.inspect(model)
    assert result.name == model.name
    assert result.metrics["params"].value == model.count_params()
    assert result.metrics["trainable_params"].value == trainable(model)
    assert result.coverage.value == 1
    rows = rows_of(result)
    for layer in model.layers:
        if layer.weights:
            row = rows[layer.name]
            assert (row.type, row.params.value) == (type(layer).__name__, layer.count_params())
    products = [row for row in result.operators if row.type in ("Conv", "Gemm", "MatMul")]
    assert sum(row.macs.value for row in products) == macs_by_hand(model)
    for layer in model.layers:
        if isinstance(layer, layers.Conv2D) and not isinstance(layer, layers.DepthwiseConv2D):
            _, height, width, _ = layer.output.shape
            expected = math.prod(layer.kernel.shape) * height * width
            assert rows[layer.name].macs.value == expected


def test_a_transformer_of_own_layers_has_its_layers_as_modules() -> None:
    model = transformer()
    result = jt.inspect(model, dims={"batch": 2, "sequence": 16})
    assert result.metrics["params"].value == model.count_params()
    rows = rows_of(result)
    block = model.get_layer("block_1")
    assert (rows["block_1"].type, rows["block_1"].params.value) == ("Block", block.count_params())
    assert rows["block_1.feed"].params.value == block.feed.count_params()
    attention = rows[f"block_1.{block.attention.name}"]
    assert attention.type == "MultiHeadAttention"
    # Four projections, and two products of 16 x 16 with the whole width.
    assert attention.macs.value == 2 * (4 * 16 * 32 * 32 + 2 * 16 * 16 * 32)
    assert result.inputs[0]["shape"] == [2, 16]


def test_frozen_layers_are_not_trainable() -> None:
    model = small()
    model.get_layer("inner").trainable = False
    result = jt.inspect(model)
    assert result.metrics["params"].value == model.count_params()
    assert result.metrics["trainable_params"].value == trainable(model) < model.count_params()


def test_a_shared_layer_counts_once_and_works_twice() -> None:
    model = small()
    shared = rows_of(jt.inspect(model))["shared"]
    assert shared.params.value == model.get_layer("shared").count_params()
    assert shared.macs.value == 2 * 16 * 16 * 3 * 3 * 3 * 4


def test_layers_of_similar_names_are_told_apart() -> None:
    x = keras.Input((8,))
    first, second = layers.Dense(4, name="d"), layers.Dense(5, name="d_1")
    result = jt.inspect(keras.Model(x, second(first(x))))
    rows = rows_of(result)
    assert (rows["d"].macs.value, rows["d_1"].macs.value) == (8 * 4, 4 * 5)


def test_counts_do_not_depend_on_the_values_of_weights() -> None:
    """Exporters remove additions of zeros, which new biases are."""
    model = small()
    new = jt.inspect(model).metrics["flops"].value
    model.set_weights([weight + 0.25 for weight in model.get_weights()])
    assert jt.inspect(model).metrics["flops"].value == new


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_other_back_ends_give_the_same(backend: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip(backend, reason=f"{backend} is not installed")
    result = jt.inspect(small())
    code = (
        "import json, os, sys, keras_models, jouletree\n"
        "model = keras_models.small()\n"
        "before = [weight.mean() for weight in model.get_weights()]\n"
        "result = jouletree.inspect(model)\n"
        "assert before == [weight.mean() for weight in model.get_weights()]\n"
        "assert keras_models.keras.config.backend() == os.environ['KERAS_BACKEND']\n"
        "print(json.dumps({row.scope: [row.type, row.params.value, row.macs.value]"
        " for row in result.modules}))\n"
    )
    paths = [*sys.path, str(pathlib.Path(__file__).parent)]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "KERAS_BACKEND": backend,
            "PYTHONPATH": os.pathsep.join(paths),
            "TMPDIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found == {
        row.scope: [row.type, row.params.value, row.macs.value] for row in result.modules
    }
    assert list(tmp_path.glob("jouletree-*")) == []


def test_vgg19_for_small_pictures_as_in_the_example_of_deeplite() -> None:
    """32 x 32 x 3, without top, average pooling, dropout and a dense layer of 100. What deeplite
    documents is the code; it prints no numbers for it."""
    base = keras.applications.VGG19(include_top=False, weights=None, input_shape=(32, 32, 3))
    picture = keras.Input((32, 32, 3))
    x = base(layers.Rescaling(1 / 127.5, offset=-1)(picture), training=False)
    x = layers.Dropout(0.2)(layers.GlobalAveragePooling2D()(x))
    model = keras.Model(picture, layers.Dense(100, name="classes")(x), name="vgg19_cifar")
    result = jt.inspect(model)
    assert result.metrics["params"].value == model.count_params() == 20_024_384 + 51_300
    products = [row for row in result.operators if row.type in ("Conv", "Gemm", "MatMul")]
    assert sum(row.macs.value for row in products) == macs_by_hand(model)
    assert rows_of(result)["vgg19.block5_conv4"].params.value == 2_359_808
    # deeplite's model size is that of the parameters, its footprint adds the activations.
    size = 4 * model.count_params()
    assert result.metrics["size_bytes"].value == pytest.approx(size, rel=1e-3)
    assert size < result.metrics["memory_bytes"].value < 1.1 * size
