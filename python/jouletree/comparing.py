"""How models and profiles differ, metric by metric."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from jouletree import _core
from jouletree._arguments import checked_call
from jouletree._frame import Framed
from jouletree._html import columns_table, page
from jouletree._sources import is_keras, is_keras_file, is_torch
from jouletree.database import StoredModel, stored_models
from jouletree.errors import BadInput, UnknownMetric
from jouletree.inspection import Inspection, inspect
from jouletree.metrics import Metrics
from jouletree.profiles import Profile, load
from jouletree.reporting import Subject


class Comparison(Framed):
    """Models beside each other; each is compared with the first. Prints as ``jouletree compare``.

    >>> comparison = jouletree.compare("resnet-18", "resnet-50")
    >>> comparison.ratios("macs")
    {'resnet-50': 2.25...}
    """

    def __init__(self, table: str, content: str, given: Sequence[Subject]) -> None:
        self._given = list(given)
        self._table = table
        self._text = content

    @property
    def labels(self) -> list[str]:
        """Of the models, the first one first."""
        return [str(model["model"]) for model in self._json["models"]]

    @cached_property
    def metrics(self) -> dict[str, Metrics]:
        """The metrics of each model, by its label."""
        return {str(model["model"]): _metrics_of(model) for model in self._json["models"]}

    def ratios(self, metric: str) -> dict[str, float | None]:
        """How a metric of each other model relates to that of the first: their ratio, or their
        difference where the metric is a share."""
        ratios: dict[str, float | None] = {}
        for model in self._json["models"][1:]:
            found = _compared(model, metric)
            numbers = [value for key, value in found.items() if key != "verdict"]
            ratios[str(model["model"])] = numbers[0] if numbers else None
        return ratios

    def verdicts(self, metric: str) -> dict[str, str]:
        """``"better"``, ``"worse"``, ``"same"``, ``"different"``, ``"intervals overlap"`` or
        ``"unknown"`` for each other model."""
        return {
            str(model["model"]): str(_compared(model, metric)["verdict"])
            for model in self._json["models"][1:]
        }

    @property
    def notes(self) -> list[str]:
        """In what the measurements differ besides the model."""
        return [_core.python_words(note) for note in self._json.get("notes", [])]

    def to_json(self) -> str:
        """What the command prints with ``--format json``."""
        return self._text

    def __str__(self) -> str:
        return self._table.rstrip("\n")

    __repr__ = __str__

    def _small(self) -> str:
        return page("comparison", columns_table(["", *self.labels], self._rows()), "", self.notes)

    def _subjects(self) -> list[Subject]:
        return self._given

    def _rows(self) -> Iterator[list[str]]:
        """Each metric with what the other models are to the first."""
        first, *others = self.metrics.values()
        for name in first:
            row = [first.title(name), first.text(name)]
            for label, metrics in zip(self.labels[1:], others, strict=True):
                verdict = self.verdicts(name)[label]
                row.append(f"{metrics.text(name)} ({verdict})")
            yield row

    @cached_property
    def _json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._text)
        return content


@checked_call
def compare(
    *models: Any,
    labels: Sequence[str] | None = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    by_type: bool = False,
) -> Comparison:
    """Compares models and profiles with the first of them.

    Each is a model as for ``jouletree.inspect``, an inspection, a profile, a folder that holds a
    profile, or a model of a database: ``"lab.sqlite#resnet-18"``, ``database["resnet-18"]``. A
    whole database stands for all its models. ``dims`` and ``values`` are for all models that are
    counted here. ``by_type`` also shows the types of operators in which they differ.

    >>> print(jouletree.compare("resnet-18", "resnet-50"))
    >>> print(jouletree.compare(jouletree.load("profiles/before"), after))
    """
    results = [result for model in models for result in _results_of(model, dims, values)]
    if len(results) < 2:
        raise BadInput("compare needs at least two models or profiles")
    if labels is None:
        labels = _distinct([result.name for result in results])
    elif len(labels) != len(results) or len(set(labels)) != len(labels):
        raise BadInput(f"labels: give {len(results)} names that all differ")
    given = [
        (_native(result), label, result._own_now())
        for result, label in zip(results, labels, strict=True)
    ]
    return Comparison(*_core.compare_models(given, by_type), given)


def _results_of(
    model: Any, dims: Mapping[str, int] | None, values: Mapping[str, Any] | None
) -> Sequence[Inspection | Profile | StoredModel]:
    if isinstance(model, (Inspection, Profile)):
        return [model]
    stored = stored_models(model)
    return [_result_of(model, dims, values)] if stored is None else stored


def _result_of(
    model: Any, dims: Mapping[str, int] | None, values: Mapping[str, Any] | None
) -> Inspection | Profile:
    if isinstance(model, (str, os.PathLike)) and Path(model).is_dir() and not is_keras_file(model):
        return load(model)
    try:
        return inspect(model, dims=dims, values=values)
    except BadInput as error:
        if not is_torch(model) or is_keras(model):
            raise
        raise BadInput(
            f"{type(model).__name__} is a live PyTorch model and needs its inputs: give "
            "jouletree.inspect(model, x) in its place"
        ) from error


def _native(
    result: Inspection | Profile | StoredModel,
) -> _core.CountedModel | _core.ProfiledModel | _core.KeptModel:
    if isinstance(result, StoredModel):
        return result._kept
    return result._counted if isinstance(result, Inspection) else result._profiled


def _distinct(names: list[str]) -> list[str]:
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({place})" for place, name in enumerate(names, 1)]


def _metrics_of(model: Mapping[str, Any]) -> Metrics:
    return Metrics(model["metrics"])


def _compared(model: Mapping[str, Any], metric: str) -> dict[str, Any]:
    compared: dict[str, Any] = model["compared"]
    if metric not in compared:
        raise UnknownMetric(f"there is no metric '{metric}'; there are: {', '.join(compared)}")
    found: dict[str, Any] = compared[metric]
    return found
