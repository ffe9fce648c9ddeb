"""Predictors: what models cost that never ran."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from jouletree import _core, _sources
from jouletree._arguments import checked_call, path_of, whole_number
from jouletree._frame import Framed
from jouletree._html import metrics_table, page
from jouletree._inputs import input_settings
from jouletree._measured_data import Data, files_of, settings_texts, tell
from jouletree.database import Database, named_database
from jouletree.errors import BadInput
from jouletree.inspection import Inspection
from jouletree.metrics import Metrics
from jouletree.quantity import Quantity
from jouletree.reporting import Subject


class Predictor:
    """Has learned from measured models. Made by ``jouletree.train``, read by
    ``jouletree.predict``."""

    def __init__(self, native: _core.Predictor) -> None:
        self._native = native

    @property
    def method(self) -> str:
        return self._native.method

    @property
    def models(self) -> list[str]:
        """That it was trained on."""
        return self._native.models

    @property
    def measured_on(self) -> list[dict[str, Any]] | None:
        """Where its data were measured, one entry for each machine and setting of the engine:
        ``machine``, ``machine_key``, ``system``, ``engine``, ``engine_version``, ``threads``,
        ``device``, ``level``, ``execution``, ``runs``, ``from`` and ``to``. None where the data do
        not say."""
        places: list[dict[str, Any]] | None = json.loads(self._native.measured_on)
        return places

    @property
    def notes(self) -> list[str]:
        """On what was used of the data, and what would help most next."""
        return [_core.python_words(note) for note in self._native.notes]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the predictor file, which the command ``jouletree predict`` reads as well."""
        self._native.write(os.fspath(path))
        return Path(path)

    def __repr__(self) -> str:
        return f"<{self._native.summary}>"


class PredictedNode:
    """A node of a predicted tree."""

    __slots__ = ("_json",)

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def id(self) -> str:
        """``root.encoder.layer.0``."""
        return str(self._json["id"])

    @property
    def type(self) -> str:
        return str(self._json["type"])

    @property
    def level(self) -> str:
        """``"model"``, ``"module"`` or ``"ml"``, as in tree files."""
        return str(self._json["level"])

    @property
    def energy(self) -> Quantity:
        return Quantity.from_json(self._json["metrics"]["energy_j"])

    @property
    def time(self) -> Quantity:
        return Quantity.from_json(self._json["metrics"]["time_s"])

    @property
    def measured_share(self) -> float:
        """How much of its time was measured, not predicted, from 0 to 1: an operator that a
        database knows has 1."""
        return float(self._json["metrics"]["measured_share"])

    @property
    def beyond_training(self) -> bool:
        """It is unlike anything in the training data."""
        return bool(self._json["beyond_training"])

    def __repr__(self) -> str:
        return f"<{self.id}: {self.time}, {self.energy}>"


class Prediction(Framed):
    """Predicted energy and time. Prints as ``jouletree predict`` prints.

    >>> prediction = jouletree.predict("machine.json", "resnet-50")
    >>> prediction.energy.value, prediction.energy.low, prediction.energy.high
    """

    def __init__(self, texts: _core.PredictionTexts) -> None:
        self._texts = texts

    @property
    def runs(self) -> list[Metrics]:
        """Metrics of every run: one of a model, one per line of a tree file."""
        return [
            Metrics({name: one for name, one in run["metrics"].items() if isinstance(one, Mapping)})
            for run in self._json["runs"]
        ]

    @property
    def metrics(self) -> Metrics:
        """Of the first run."""
        return self.runs[0]

    @property
    def energy(self) -> Quantity:
        """Of one run of the model."""
        return self.metrics["energy_j"]

    @property
    def time(self) -> Quantity:
        """Of one run of the model."""
        return self.metrics["time_s"]

    @property
    def measured_share(self) -> float:
        """How much of the first run's time was measured, not predicted, from 0 to 1; 0 without a
        database."""
        return float(self._json["runs"][0]["metrics"]["measured_share"])

    @cached_property
    def nodes(self) -> list[PredictedNode]:
        """Of the first run, in the order of its tree."""
        return [PredictedNode(node) for node in self._json["runs"][0]["nodes"]]

    @property
    def predictor(self) -> dict[str, Any]:
        """The predictor that was used: ``name``, ``is_calibration_of_here``, ``measured_on`` (as
        of a ``Predictor``), ``median_error_percent``, ``differs_from_here`` (in what its data are
        from elsewhere) and ``warning``."""
        used: dict[str, Any] = self._json["predictor"]
        return used

    @property
    def warnings(self) -> list[str]:
        """What one must know about the numbers, one sentence each."""
        return [_core.python_words(warning) for warning in self._texts.warnings]

    def to_json(self) -> str:
        """What the command prints with ``--format json``."""
        return self._texts.json

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the tree file or the CSV with the predictions filled in."""
        _core.write_file(os.fspath(path), self._texts.filled)
        return Path(path)

    def __str__(self) -> str:
        return self._texts.table.rstrip("\n")

    __repr__ = __str__

    def _small(self) -> str:
        name = str(self._json["runs"][0]["model"])
        return page(name, metrics_table(self.metrics), "", self.warnings)

    def _subjects(self) -> list[Subject]:
        return [(self._texts.json, "prediction")]

    @cached_property
    def _json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._texts.json)
        return content


@checked_call
def train(
    data: Data | Sequence[Data],
    output: str | os.PathLike[str] | None = None,
    *,
    method: str = "ledger",
    features: str = "all",
    level: float = 0.9,
    config: Mapping[str, Any] | None = None,
    adapt: Predictor | str | os.PathLike[str] | None = None,
    runs: int = 0,
    machine: str = "",
    engine: str = "",
    settings: Mapping[str, int | str] | None = None,
    layout: str = "auto",
) -> Predictor:
    """Learns from measured models, and writes a predictor file where ``output`` names one.

    ``data`` are tree files, per-operator CSVs, tables of whole models, folders of profiles or above
    them, profiles, or databases (``"sqlite:FILE"``, ``"postgresql://…"``), in any mix. Of several
    machines or engines in a database, ``machine`` and ``engine`` choose those whose names hold the
    text. ``adapt`` is a predictor of another device to start from; ``runs`` says how many of the
    runs to use, those that tell most.

    Of tables, ``settings`` are those of models of the zoo where no column tells
    (``{"classes": 100}``), and ``layout`` is how ONNX Runtime kept maps of images: ``"blocked"`` on
    x86-64, ``"plain"`` on ARM; ``"auto"`` takes what predicts better.

    >>> predictor = jouletree.train("profiles/", "machine.json")
    """
    start = None if adapt is None else _predictor_of(adapt)._native
    with files_of(data) as paths:
        native = _core.train(
            paths,
            method,
            features,
            level,
            json.dumps(dict(config or {})),
            start,
            runs,
            machine,
            engine,
            settings_texts(settings),
            layout,
        )
    tell(native.warnings)
    predictor = Predictor(native)
    if output is not None:
        predictor.save(output)
    return predictor


@overload
def predict(
    predictor: Predictor | Database | str | os.PathLike[str],
    model: Any,
    x: Any = None,
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    features: str | None = None,
    as_written: bool = False,
    depth: int = 2,
    machine: str = "",
    engine: str = "",
    settings: Mapping[str, int | str] | None = None,
    threads: int | None = None,
) -> Prediction: ...
@overload
def predict(
    model: Any,
    x: Any = None,
    *,
    predictor: Predictor | Database | str | os.PathLike[str] | None = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    features: str | None = None,
    as_written: bool = False,
    depth: int = 2,
    machine: str = "",
    engine: str = "",
    settings: Mapping[str, int | str] | None = None,
    threads: int | None = None,
) -> Prediction: ...
@checked_call
def predict(
    *words: Any,
    predictor: Any = None,
    model: Any = None,
    x: Any = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    features: str | None = None,
    as_written: bool = False,
    depth: int = 2,
    machine: str = "",
    engine: str = "",
    settings: Mapping[str, int | str] | None = None,
    threads: int | None = None,
) -> Prediction:
    """Predicts energy and time of a model without running it: ``predict(model)`` with what
    ``jouletree calibrate`` learned on this machine, ``predict(predictor, model)`` with another
    predictor.

    ``model`` and ``x`` are as for ``jouletree.inspect``; it may also be an inspection, or measured
    data to be filled: a tree file, a per-operator CSV, a table of models (with ``settings`` as for
    ``jouletree.train``) or the folder of a profile.

    ``threads`` is the number of threads of the engine: that of the calibration to take (1, if not
    given); a predictor that was measured with another number raises BadInput.

    A database in the place of the predictor (``"sqlite:FILE"``, ``"postgresql://…"``) gives
    operators as they were measured, and predicts the others from what else it holds;
    ``measured_share`` of a prediction and of its nodes tells how much that is. ``machine`` and
    ``engine`` choose those whose names hold the text, where it knows several; else it answers for
    the engine that would run the model.

    >>> jouletree.predict("resnet-50")
    >>> jouletree.predict("machine.json", "bert-base-uncased", dims={"batch": 8, "sequence": 128})
    >>> jouletree.predict("sqlite:measured.sqlite", "resnet-50").measured_share
    """
    predictor, model, x = _told_apart(list(words), predictor, model, x)
    depth = whole_number("depth", depth, 0)
    if threads is not None:
        threads = whole_number("threads", threads, 1)
    native = _native_of(predictor, model, machine, engine, threads)
    if isinstance(model, (str, os.PathLike)) and not _sources.is_keras_file(model):
        path = os.fspath(model)
        inputs = input_settings(x, dims, values, lambda: _input_names(path))
        texts = _core.predict_given(
            native,
            path,
            **inputs.arguments(),
            features=features,
            as_written=as_written,
            depth=depth,
            settings=settings_texts(settings),
            threads=threads,
        )
    else:
        if features is not None:
            raise BadInput("features: only for measured data; a counted model has none to choose")
        if isinstance(model, Inspection):
            counted = model._counted
        else:
            counted = _sources.counted(model, x, dims, values)
        texts = _core.predict_counted(native, counted, as_written, depth, threads)
    tell(texts.warnings)
    return Prediction(texts)


def _told_apart(words: list[Any], predictor: Any, model: Any, x: Any) -> tuple[Any, Any, Any]:
    """Predictor, model and input of what was given by place and by name."""
    if predictor is None and words and (model is not None or _is_predictor(words[0])):
        predictor = words.pop(0)
    elif len(words) > 1 and words[0] is None:
        _predictor_of(None)  # Raises, saying what a predictor may be.
    if model is None and words:
        model = words.pop(0)
    if x is None and words:
        x = words.pop(0)
    if words:
        raise BadInput("predict takes a predictor, a model and its input; give the others by name")
    if model is None:
        raise BadInput("model: predict needs this; see its help")
    return predictor, model, x


def _is_predictor(one: Any) -> bool:
    if isinstance(one, (Predictor, Database)):
        return True
    return isinstance(one, (str, os.PathLike)) and _core.names_predictor(os.fspath(one))


def _native_of(
    predictor: Predictor | Database | str | os.PathLike[str] | None,
    model: Any,
    machine: str,
    engine: str,
    threads: int | None,
) -> _core.Predictor:
    location = None if predictor is None else named_database(predictor)
    if location is not None:
        native = _core.read_database(location, machine, engine, _runner_of(model))
        tell(native.warnings)
        return native
    if machine or engine:
        raise BadInput("machine and engine choose in a database; a predictor is of one machine")
    if predictor is None:
        native = _core.calibration_of_here(threads)
        tell(native.warnings)
        return native
    return _predictor_of(predictor)._native


def _runner_of(model: Any) -> str:
    """The engine that would run a model; empty where nobody knows."""
    if isinstance(model, Inspection):
        return ""
    if _sources.is_keras(model) or _sources.is_keras_file(model):
        return "onnxruntime"
    if _sources.is_torch(model):
        return "torch"
    if isinstance(model, (str, os.PathLike)):
        return _core.runner_of(_sources.checked_path(model))
    return "onnxruntime"


def _predictor_of(predictor: Any) -> Predictor:
    if isinstance(predictor, Predictor):
        return predictor
    wanted = "what jouletree.train returns, the path of a predictor file, or a database"
    return Predictor(_core.read_predictor(path_of("predictor", predictor, wanted)))


def _input_names(path: str) -> list[str]:
    if _sources.is_zoo_name(path):
        return _core.input_names_of_zoo(path)
    return _core.input_names_of_file(path)
