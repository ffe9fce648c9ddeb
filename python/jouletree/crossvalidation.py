"""How well predictors do on models that they have not seen."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from jouletree import _core
from jouletree._arguments import checked_call
from jouletree._frame import Framed
from jouletree._html import page, text_block
from jouletree._measured_data import Data, files_of, settings_texts, tell
from jouletree.reporting import Subject


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
    with files_of(data) as paths:
        texts = _core.crossvalidate(
            paths,
            leave_out,
            method,
            features,
            level,
            json.dumps(dict(config or {})),
            machine,
            engine,
            settings_texts(settings),
            layout,
            None if output is None else os.fspath(output),
        )
    tell(texts.warnings)
    return CrossValidation(texts)
