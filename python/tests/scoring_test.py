"""Scores of model files and of anything that can be called, against NumPy."""

from __future__ import annotations

import json
import math
import pathlib
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import PROGRAM
from scored_models import CLASSES, Trained, trained, write_onnx

import jouletree as jt

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def model() -> Trained:
    return trained()


@pytest.fixture(scope="module")
def file(model: Trained, tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("onnx")
    return write_onnx(model, tmp_path_factory.mktemp("scored") / "small.onnx")


def _expected(model: Trained) -> dict[str, float]:
    """As textbooks have them."""
    logits, y = model.logits(model.x).astype(np.float64), model.y
    best = logits.argmax(1)
    order = np.argsort(-logits, axis=1, kind="stable")
    shares = np.exp(logits - logits.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    one = range(CLASSES)
    hits = np.array([((best == k) & (y == k)).sum() for k in one])
    precision = hits / np.maximum([(best == k).sum() for k in one], 1)
    recall = hits / np.array([(y == k).sum() for k in one])
    both = np.where(precision + recall > 0, precision + recall, 1)
    loss = -np.log(shares[np.arange(len(y)), y]).mean()
    return {
        "top1": (best == y).mean(),
        "top3": (order[:, :3] == y[:, None]).any(1).mean(),
        "top5": (order[:, :5] == y[:, None]).any(1).mean(),
        "error": (best != y).mean(),
        "loss": loss,
        "perplexity": math.exp(loss),
        "precision": precision.mean(),
        "recall": recall.mean(),
        "f1": (2 * precision * recall / both).mean(),
    }


def test_accuracy_of_a_trained_model_is_what_its_script_reports(model: Trained, file: str) -> None:
    assert 0.5 < model.accuracy() < 0.99

    score = jt.score(file, model.x, model.y)

    assert score.value == pytest.approx(model.accuracy(), abs=1e-12)
    assert (score.metric, score.unit, score.provenance) == ("top1", "1", "measured")
    assert (score.n, score.batch) == (203, 32)
    assert score.time.value is not None and score.time.value > 0
    assert score.energy.provenance in ("measured", "estimated", None)


def test_every_metric_is_what_its_formula_says(model: Trained, file: str) -> None:
    expected = _expected(model)

    score = jt.score(file, (model.x, model.y), metric=list(expected), batch=17)

    assert list(score.metrics) == list(expected)
    for name, value in expected.items():
        assert score.metrics[name].value == pytest.approx(value, rel=1e-5), name


@pytest.mark.parametrize("batch", [1, 8])
def test_a_fixed_batch_is_filled_up_and_the_rest_not_counted(
    model: Trained, tmp_path: pathlib.Path, batch: int
) -> None:
    pytest.importorskip("onnx")
    fixed = write_onnx(model, tmp_path / "fixed.onnx", batch)

    score = jt.score(fixed, model.x, model.y, metric=["top1", "loss"])

    assert (score.n, score.batch) == (203, batch)
    assert score.value == pytest.approx(model.accuracy(), abs=1e-12)
    assert score.metrics["loss"].value == pytest.approx(_expected(model)["loss"], rel=1e-5)
    with pytest.raises(jt.BadInput, match=f"takes exactly {batch} example"):
        jt.score(fixed, model.x, model.y, batch=5)


def test_the_command_says_the_same(
    model: Trained, file: str, tmp_path: pathlib.Path, command: Callable[..., str]
) -> None:
    np.save(tmp_path / "x.npy", np.asfortranarray(model.x))
    np.save(tmp_path / "y.npy", model.y.astype(np.int32).reshape(-1, 1))
    words = ["--data", tmp_path / "x.npy", "--labels", tmp_path / "y.npy"]
    told = json.loads(
        command(
            "score",
            file,
            *words,
            "--metric",
            "top1",
            "--metric",
            "top3",
            "--epr-alpha",
            2,
            "--batch",
            50,
            "--format",
            "json",
        )
    )

    scores = {one["name"]: one["value"] for one in told["scores"]}
    assert scores["top1"] == pytest.approx(model.accuracy(), abs=1e-12)
    assert scores["top3"] == pytest.approx(_expected(model)["top3"])
    assert (told["primary"], told["examples"], told["batch"]) == ("top1", 203, 50)
    assert told["epr"]["alpha"] == 2
    energy = told["energy_j"]["value"]
    if energy is not None:
        wanted = (1 - model.accuracy()) ** 2 * energy / 203
        assert told["epr"]["value"] == pytest.approx(wanted)
        assert "epr_2" in told["metrics"] and "epr" not in told["metrics"]
    table = command("score", file, *words)
    assert "Accuracy, top-1" in table and "203 examples" in table


def test_probabilities_and_another_output_are_told_apart(
    model: Trained, tmp_path: pathlib.Path
) -> None:
    pytest.importorskip("onnx")
    both = write_onnx(model, tmp_path / "both.onnx", softmax=True)
    first = jt.score(both, model.x, model.y, metric="loss")
    second = jt.score(both, model.x, model.y, metric="loss", output="logits")
    assert first.value == pytest.approx(second.value, rel=1e-5)
    assert any("probabilities" in note for note in first.notes)
    assert any("logits" in note for note in second.notes)
    with pytest.raises(jt.BadInput, match="no output 'x'; it has: shares, logits"):
        jt.score(both, model.x, model.y, output="x")


def test_anything_that_can_be_called_is_a_model(model: Trained) -> None:
    score = jt.score(model.logits, model.x, model.y, metric=["error", "top1"])
    assert score.value == pytest.approx(1 - model.accuracy())

    class Estimator:
        def predict(self, x: Any) -> Any:
            return model.logits(x).argmax(1)

    assert jt.score(Estimator(), model.x, model.y).value == pytest.approx(model.accuracy())


def test_batches_of_any_kind_are_data(model: Trained, file: str) -> None:
    def pairs() -> Iterator[Any]:
        for first in range(0, 203, 40):
            yield model.x[first : first + 40], model.y[first : first + 40]

    def dictionaries() -> Iterator[Any]:
        for x, y in pairs():
            yield {"x": x, "labels": y}

    for data in (pairs(), list(pairs()), dictionaries()):
        score = jt.score(file, data)
        assert score.value == pytest.approx(model.accuracy(), abs=1e-12)
        assert (score.n, score.batch) == (203, 40)
    single = [(x, int(y)) for x, y in zip(model.x, model.y, strict=True)]
    assert jt.score(file, single, batch=10).value == pytest.approx(model.accuracy(), abs=1e-12)
    one_hot = np.eye(CLASSES, dtype=np.float32)[model.y]
    assert jt.score(file, model.x, one_hot).value == pytest.approx(model.accuracy(), abs=1e-12)


def test_a_function_of_ones_own_gets_all_outputs_and_labels(model: Trained, file: str) -> None:
    seen: list[tuple[int, ...]] = []

    def hits(outputs: Any, labels: Any) -> Any:
        seen.append((outputs.shape, labels.shape))
        return (outputs.argmax(1) == labels).sum()

    score = jt.score(file, model.x, model.y, metric=[hits, "top1"], better="higher")

    assert seen == [((203, CLASSES), (203,))]
    assert score.metric == "hits"
    assert score.value == round(model.accuracy() * 203)
    assert score.metrics["top1"].value == pytest.approx(model.accuracy())
    named = jt.score(file, model.x, model.y, metric={"hits": lambda o, y: (o.argmax(1) == y).sum()})
    assert named.value == score.value


def test_bad_data_are_one_sentence(model: Trained, file: str, tmp_path: pathlib.Path) -> None:
    x, y = model.x, model.y

    def refused(message: str, *data: Any, kind: type[jt.Error] = jt.BadInput, **more: Any) -> None:
        with pytest.raises(kind, match=message) as caught:
            jt.score(file, *data, **more)
        assert "\n" not in str(caught.value)

    refused("203 examples, but there are 200 labels", x, y[:200])
    refused("label 7 of example 0 is none of the classes 0 to 6", x, np.full(203, 7))
    refused("label 0.5 of example 0 is no class", x, np.full(203, 0.5))
    refused("of type object", x, np.array([None] * 203, dtype=object))
    refused("of type <U1", x, np.array(["a"] * 203))
    refused("there is no batch", iter([]))
    refused("there is no batch", x[:0], y[:0])
    refused("labels: data alone", x)
    refused(
        r"must be float32, but the data are float64; NumPy's \.astype\('float32'\)",
        x.astype(np.float64),
        y,
    )
    refused("all labels are -100", x, np.full(203, -100))
    refused("top1 needs one right class", x, np.full((203, CLASSES), 1 / CLASSES))
    refused("is a generator, which brings labels of its own", (one for one in [(x, y)]), y)
    refused("did you mean 'perplexity'", x, y, metric="perplexty")
    refused("metric nan returned nan", x, y, metric={"nan": lambda o, y: np.nan}, kind=jt.Failed)
    refused("metric bad raised ZeroDivisionError", x, y, metric={"bad": lambda o, y: 1 / 0})
    refused("epr_alpha is nan", x, y, epr_alpha=math.nan)
    refused("epr_alpha is -1", x, y, epr_alpha=-1)
    refused("better is 'best'", x, y, better="best")
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    refused("cannot be read", x, tmp_path / "objects.npy")
    with pytest.raises(jt.Failed, match="NaN for example 3"):
        jt.score(lambda x: np.where(np.arange(len(x))[:, None] == 3, np.nan, model.logits(x)), x, y)
    with pytest.raises(jt.BadInput, match="the model raised ValueError"):
        jt.score(lambda x: [int("one") for _ in x], x, y)


def test_a_score_joins_no_profile_of_another_model(
    model: Trained, file: str, tmp_path: pathlib.Path
) -> None:
    score = jt.score(file, model.x, model.y)
    other = jt.profile("bert-l2-h128", budget="0.5s", baseline=0, modules=False)
    folder = other.save(tmp_path / "bert")
    for add in (other.with_score, lambda one: one.add_to(folder)):
        with pytest.raises(jt.BadInput, match=r"the score is of .*, but the profile is of bert"):
            add(score)
    assert jt.load(folder).score is None

    unknown = other.with_score(jt.score(model.logits, model.x, model.y))

    assert unknown.score is not None
    assert any("nothing in them tells" in note for note in unknown.score.notes)


def test_the_ratio_tells_how_it_was_obtained(model: Trained, file: str) -> None:
    ratio = jt.score(file, model.x, model.y).epr

    assert ratio.failure is None
    assert ratio.value is None or str(ratio).endswith((" (estimated)", " (measured)"))


def test_lists_of_numbers_are_float32(model: Trained, file: str) -> None:
    assert jt.score(file, model.x.tolist(), model.y.tolist()).value == pytest.approx(
        model.accuracy(), abs=1e-12
    )


def test_a_dictionary_of_unknown_arguments_is_refused(model: Trained, file: str) -> None:
    given = {"data": (model.x, model.y), "metrik": "top1"}
    with pytest.raises(jt.BadInput, match="no argument 'metrik'; did you mean 'metric'"):
        jt.profile(file, score=given)
    with pytest.raises(jt.BadInput, match="'data' is missing"):
        jt.profile(file, score={"metric": "top1"})


def test_two_axes_that_fit_are_asked_about() -> None:
    labels = np.arange(40).reshape(8, 5) % 5
    tokens = np.eye(5, dtype=np.float32)[labels] * 3
    with pytest.raises(jt.BadInput, match=r"class_axis=1\).*class_axis=-1\); say which"):
        jt.score(lambda x: x, tokens, labels)
    assert jt.score(lambda x: x, tokens, labels, class_axis=-1).value == 1


def test_a_loss_is_shown_with_four_digits() -> None:
    logits = np.array([[0, 3.45]], dtype=np.float32)
    score = jt.score(lambda x: x, logits, np.array([1]), metric="loss")
    assert "0.03125" in str(score)


def test_the_command_refuses_bad_files(model: Trained, file: str, tmp_path: pathlib.Path) -> None:
    np.save(tmp_path / "x.npy", model.x)
    np.save(tmp_path / "y.npy", model.y)
    np.save(tmp_path / "short.npy", model.y[:200])
    np.save(tmp_path / "words.npy", np.array(["a"] * 203))
    np.save(tmp_path / "none.npy", model.y[:0])
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}] * 203, dtype=object), allow_pickle=True)

    def said(labels: str, *more: str) -> tuple[int, str]:
        words = [str(PROGRAM), "score", file, "--data", "x.npy", "--labels", labels, *more]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stdout == ""
        return done.returncode, done.stderr

    assert said("short.npy") == (
        2,
        "jouletree: x.npy: holds 203 examples, but there are 200 labels\n",
    )
    for labels in ("words.npy", "objects.npy", "none.npy", "nowhere.npy"):
        code, text = said(labels)
        assert code == 2 and labels in text and text.count("\n") == 1, text
    code, text = said("y.npy", "--metric", "mse")
    assert code == 2 and "the labels are" in text
    code, text = said("y.npy", "--into", str(tmp_path))
    assert code == 2 and "holds no profile.json" in text


def test_a_score_joins_its_profile_and_its_comparison(
    model: Trained, file: str, tmp_path: pathlib.Path, command: Callable[..., str]
) -> None:
    quick: dict[str, Any] = {"budget": "1s", "baseline": 0, "modules": False}
    score = jt.score(file, model.x, model.y, metric=["top1", "top3"])
    good = jt.profile(file, score=score, **quick)
    assert good.metrics["score_top1"].value == score.value
    assert good.metrics["score_top3"].value == score.metrics["top3"].value
    assert "Accuracy, top-1" in str(good) and "  top-3" in str(good)
    assert good.score is not None and good.score.value == score.value

    folder = good.save(tmp_path / "good")
    again = jt.load(folder)
    assert again.score is not None and str(again.score) == str(score)
    assert again.metrics["score_top3"] == good.metrics["score_top3"]
    assert "Accuracy, top-1" in command("show", folder)

    wrong = (model.y + 1) % CLASSES
    bad = jt.profile(file, score=((model.x, wrong), ["top1", "loss"]), **quick)
    compared = jt.compare(good, bad)
    assert compared.verdicts("score_top1")[compared.labels[1]] == "worse"
    assert compared.verdicts("score_top3")[compared.labels[1]] == "unknown"
    assert any("other labels" in note for note in compared.notes)
    assert jt.compare(bad, good).verdicts("score_top1")[compared.labels[1]] == "better"

    copy = again.with_score(jt.score(file, model.x, model.y, metric="loss"))
    saved = copy.save(tmp_path / "loss")
    assert "score_top1" not in jt.load(saved).metrics
    assert jt.load(saved).metrics["score_loss"].value == pytest.approx(_expected(model)["loss"])
    np.save(tmp_path / "x.npy", model.x)
    np.save(tmp_path / "y.npy", model.y)
    words = ["--data", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--metric", "error"]
    command("score", file, *words, "--into", saved)
    assert jt.load(saved).metrics["score_error"].value == pytest.approx(1 - model.accuracy())
    table = command("compare", folder, saved)
    assert "Accuracy, top-1" in table and "Error" in table


def test_a_notebook_shows_the_score(model: Trained) -> None:
    html = jt.score(model.logits, model.x, model.y, metric=["top1", "top3"])._repr_html_()
    assert "Accuracy, top-1" in html and "Accuracy, top-3" in html and "203 examples" in html


def test_ctrl_c_ends_an_evaluation_between_two_batches() -> None:
    program = textwrap.dedent("""
        import itertools, sys, time
        import numpy as np
        import jouletree as jt

        def model(x):
            print("running", flush=True)
            time.sleep(0.02)
            return x

        batches = ((np.eye(3, dtype=np.float32), np.arange(3)) for _ in itertools.count())
        try:
            jt.score(model, batches)
        except KeyboardInterrupt:
            print("interrupted")
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=120)
    assert told.splitlines()[-1] == "interrupted"
    assert process.returncode == 0
