"""Predictors: what models cost that never ran."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from jouletree import _core, _sources
from jouletree._arguments import checked_call, kind_of, path_of, whole_number
from jouletree._frame import Framed
from jouletree._html import metrics_table, page, text_block
from jouletree._inputs import input_settings
from jouletree._names import called
from jouletree._warnings import warn
from jouletree.database import Database, named_database
from jouletree.errors import BadInput
from jouletree.inspection import Inspection
from jouletree.metrics import Metrics
from jouletree.profiles import Profile
from jouletree.quantity import Quantity
from jouletree.reporting import Subject

Data = str | os.PathLike[str] | Profile | Database
"""A tree file, a per-operator CSV, a folder of profiles or above them, a profile or a database."""
_DATA = (
    "at least one tree file, per-operator CSV, folder of profiles or above them, profile or "
    "database"
)


class PredictionWarning(UserWarning):
    """What the reader of predicted numbers must know."""


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


class CrossValidation(Framed):
    """How well a method predicts models that it has not seen. Prints as ``jouletree crossvalidate``
    prints. Errors are mean absolute ones in per cent."""

    def __init__(self, texts: _core.CrossvalidationTexts) -> None:
        self._texts = texts

    @property
    def overall(self) -> dict[str, float | None]:
        """Of energies, by level of the tree: ``"ml"``, ``"module"``, ``"model"``."""
        overall: dict[str, float | None] = self._json["overall"]
        return overall

    @property
    def overall_time(self) -> dict[str, float | None]:
        """Of times, by level of the tree; empty where the data hold no times."""
        overall: dict[str, float | None] = self._json.get("overall_time", {})
        return overall

    @property
    def statistics(self) -> dict[str, dict[str, dict[str, float | None]]]:
        """Of ``"energy"`` and ``"time"``, by level of the tree, all values of all folds taken
        together: ``"values"`` (their number), ``"mean"``, ``"median"`` and ``"rmspe"`` of the
        errors, ``"within_5"`` and ``"within_10"`` (all in per cent) and ``"r_squared"``."""
        statistics: dict[str, dict[str, dict[str, float | None]]] = self._json["statistics"]
        return statistics

    @property
    def folds(self) -> list[dict[str, Any]]:
        """One for each model (family, …) that was left out."""
        folds: list[dict[str, Any]] = self._json["folds"]
        return folds

    @property
    def intervals(self) -> dict[str, Any]:
        """How many of the true values the intervals hold, and how wide they are, in per cent."""
        intervals: dict[str, Any] = self._json["intervals"]
        return intervals

    @property
    def warnings(self) -> list[str]:
        return [_core.python_words(warning) for warning in self._texts.warnings]

    def to_json(self) -> str:
        """What the command prints with ``--format json``."""
        return self._texts.json

    def __str__(self) -> str:
        return self._texts.table.rstrip("\n")

    __repr__ = __str__

    def _small(self) -> str:
        return page("cross-validation", text_block(str(self)), "", self.warnings)

    def _subjects(self) -> list[Subject]:
        return [(self._texts.json, "cross-validation")]

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
    with _files_of(data) as paths:
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
            _settings_texts(settings),
            layout,
        )
    _tell(native.warnings)
    predictor = Predictor(native)
    if output is not None:
        predictor.save(output)
    return predictor


@checked_call
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
) -> Prediction:
    """Predicts energy and time of a model without running it.

    ``model`` and ``x`` are as for ``jouletree.inspect``; it may also be an inspection, or measured
    data to be filled: a tree file, a per-operator CSV, a table of models (with ``settings`` as for
    ``jouletree.train``) or the folder of a profile.

    A database in the place of the predictor (``"sqlite:FILE"``, ``"postgresql://…"``) gives
    operators as they were measured, and predicts the others from what else it holds;
    ``measured_share`` of a prediction and of its nodes tells how much that is. ``machine`` and
    ``engine`` choose those whose names hold the text, where it knows several; else it answers for
    the engine that would run the model.

    >>> jouletree.predict("machine.json", "bert-base-uncased", dims={"batch": 8, "sequence": 128})
    >>> jouletree.predict("sqlite:measured.sqlite", "resnet-50").measured_share
    """
    depth = whole_number("depth", depth, 0)
    native = _native_of(predictor, model, machine, engine)
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
            settings=_settings_texts(settings),
        )
    else:
        if features is not None:
            raise BadInput("features: only for measured data; a counted model has none to choose")
        if isinstance(model, Inspection):
            counted = model._counted
        else:
            counted = _sources.counted(model, x, dims, values)
        texts = _core.predict_counted(native, counted, as_written, depth)
    _tell(texts.warnings)
    return Prediction(texts)


@checked_call
def crossvalidate(
    data: Data | Sequence[Data],
    *,
    leave_out: str = "model",
    method: str = "ledger",
    features: str | None = None,
    level: float = 0.9,
    config: Mapping[str, Any] | None = None,
    machine: str = "",
    engine: str = "",
    settings: Mapping[str, int | str] | None = None,
    layout: str = "auto",
    output: str | os.PathLike[str] | None = None,
) -> CrossValidation:
    """Checks how well a method predicts models that it has not seen.

    ``leave_out`` is ``"model"``, ``"family"``, ``"seq"``, ``"batch"`` or ``"device"``: what is
    left out together. ``data``, ``machine``, ``engine``, ``settings`` and ``layout`` are as for
    ``jouletree.train``. Without ``features`` nothing measured is looked at, as for a model that
    never ran. ``output`` names a new folder for the predictor, the predictions and the errors of
    every fold.

    >>> jouletree.crossvalidate("profiles/").overall["model"]
    >>> jouletree.crossvalidate("profiles/").statistics["time"]["model"]["median"]
    """
    with _files_of(data) as paths:
        texts = _core.crossvalidate(
            paths,
            leave_out,
            method,
            features,
            level,
            json.dumps(dict(config or {})),
            machine,
            engine,
            _settings_texts(settings),
            layout,
            None if output is None else os.fspath(output),
        )
    _tell(texts.warnings)
    return CrossValidation(texts)


def _settings_texts(settings: Mapping[str, int | str] | None) -> list[str]:
    return [f"{key}={value}" for key, value in (settings or {}).items()]


@contextmanager
def _files_of(data: Data | Sequence[Data]) -> Iterator[list[str]]:
    """Data as paths; profiles that are only in memory are written for the moment."""
    listed = _listed(data)
    with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
        paths: list[str] = []
        names: dict[str, str] = {}
        for place, one in enumerate(listed):
            if isinstance(one, Profile):
                paths.append(str(one.save(Path(folder) / str(place))))
                names[paths[-1]] = f"the profile of {one.name}"
            else:
                paths.append(named_database(one) or path_of("data", one, _DATA))
        with called(names):
            yield paths


def _listed(data: Any) -> list[Data]:
    """One or several, all of which can be learned from."""
    if isinstance(data, (str, os.PathLike, Profile, Database)):
        return [data]
    if not isinstance(data, Iterable):
        raise BadInput(f"data is {kind_of(data)}: give {_DATA}")
    listed = list(data)
    for place, one in enumerate(listed):
        if not isinstance(one, (Profile, Database)):
            path_of(f"data[{place}]", one, _DATA)
    if not listed:
        raise BadInput(f"data is empty: give {_DATA}")
    return listed


def _native_of(
    predictor: Predictor | Database | str | os.PathLike[str], model: Any, machine: str, engine: str
) -> _core.Predictor:
    location = named_database(predictor)
    if location is not None:
        native = _core.read_database(location, machine, engine, _runner_of(model))
        _tell(native.warnings)
        return native
    if machine or engine:
        raise BadInput("machine and engine choose in a database; a predictor is of one machine")
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


def _tell(sentences: list[str]) -> None:
    for sentence in sentences:
        warn(_core.python_words(sentence), PredictionWarning)
