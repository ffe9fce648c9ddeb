"""Scores of Keras models; skipped where there is no Keras."""

from __future__ import annotations

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
