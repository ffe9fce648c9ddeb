"""Scores of Keras models; skipped where there is no Keras."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scored_models import CLASSES, HIDDEN, INPUTS, examples

import jouletree as jt

np = pytest.importorskip("numpy")
keras = pytest.importorskip("keras")


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return examples(203, 2)


@pytest.fixture(scope="module")
def model() -> Any:
    """Trained here, for a few epochs."""
    keras.utils.set_random_seed(1)
    layers = [
        keras.layers.Input((INPUTS,)),
        keras.layers.Dense(HIDDEN, activation="relu"),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(CLASSES, activation="softmax"),
    ]
    made = keras.Sequential(layers)
    made.compile(
        optimizer=keras.optimizers.Adam(0.02),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    made.fit(*examples(400, 1), epochs=15, verbose=0)
    return made


def test_accuracy_and_loss_are_what_keras_reports(model: Any, data: tuple[Any, Any]) -> None:
    loss, accuracy = model.evaluate(*data, verbose=0)
    score = jt.score(model, data, metric=["top1", "loss"])
    assert score.value == pytest.approx(accuracy, abs=1e-6)
    assert score.metrics["loss"].value == pytest.approx(loss, rel=1e-4)
    assert score.n == 203


def test_data_of_tensorflow_are_taken(model: Any, data: tuple[Any, Any]) -> None:
    tf = pytest.importorskip("tensorflow")
    batches = tf.data.Dataset.from_tensor_slices(data).batch(50)
    whole = jt.score(model, data).value
    assert jt.score(model, batches).value == pytest.approx(whole)
    single = tf.data.Dataset.from_tensor_slices(data)
    assert jt.score(model, single).value == pytest.approx(whole)


def test_a_saved_model_scores_as_the_live_one(
    model: Any, data: tuple[Any, Any], tmp_path: Path
) -> None:
    pytest.importorskip("tf2onnx")
    model.save(tmp_path / "classifier.keras")
    score = jt.score(tmp_path / "classifier.keras", data)
    assert score.value == pytest.approx(jt.score(model, data).value)


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_other_back_ends_score_as_keras_reports(backend: str) -> None:
    pytest.importorskip(backend)
    program = (
        "import keras, jouletree as jt\n"
        "from scored_models import CLASSES, INPUTS, examples\n"
        "keras.utils.set_random_seed(1)\n"
        "made = keras.Sequential([keras.layers.Input((INPUTS,)), keras.layers.Dense(CLASSES)])\n"
        "made.compile(optimizer='adam', loss=keras.losses.SparseCategoricalCrossentropy(),"
        "             metrics=['sparse_categorical_accuracy'])\n"
        "data = examples(203, 2)\n"
        "score = jt.score(made, data)\n"
        "print(score.value, made.evaluate(*data, verbose=0)[1], keras.backend.backend())\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "KERAS_BACKEND": backend},
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    ours, theirs, ran_on = told.stdout.split()
    assert float(ours) == pytest.approx(float(theirs), abs=1e-6)
    assert ran_on == backend
