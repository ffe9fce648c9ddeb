"""Metrics to score by: names of the library's, and functions of one's own."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jouletree import _arguments, _core
from jouletree._scored_arrays import as_numpy, is_torch_tensor, native
from jouletree.errors import BadInput, Failed

MetricGiven = str | Callable[[Any, Any], Any]
_BETTER = ("neither", "lower", "higher")


class ScoredMetrics:
    """Adds up outputs and labels, batch by batch. Functions get all of them at the end, so that
    only these need memory for all."""

    def __init__(
        self,
        metric: MetricGiven | Sequence[MetricGiven] | Mapping[str, MetricGiven],
        better: str,
        outputs: str,
        class_axis: int | None,
        ignore_label: int,
    ) -> None:
        self._better = _arguments.one_of("better", better, _BETTER)
        self._own: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {}
        self._order: list[str] = []
        names: list[str] = []
        for title, one in _listed(metric):
            if isinstance(one, str):
                names.append(one)
                self._order.append(_core.score_metric_named(one) or one)
            elif callable(one):
                self._add_function(title, one)
            else:
                raise BadInput(
                    f"metric is {_arguments.kind_of(one)}: give a name such as 'top1', a function "
                    "of outputs and labels, or several of these"
                )
        self._scorer = (
            _core.Scorer(names, outputs, class_axis, int(ignore_label)) if names else None
        )
        self._all: tuple[list[Any], list[Any]] = ([], [])
        self.examples = 0

    def add(self, outputs: Any, labels: Any, examples: int) -> None:
        if self._scorer is not None:
            self._scorer.add(native(outputs, "the outputs"), native(labels, "the labels"))
        if self._own:
            kept, answers = self._all
            kept.append(outputs.detach().cpu() if is_torch_tensor(outputs) else outputs)
            answers.append(labels)
        self.examples += examples

    def finished(
        self, facts: dict[str, Any], window: _core.WindowResult | None
    ) -> _core.ScoredModel:
        return _core.made_score(facts, self._scorer, self._computed(), self._order, window)

    def _add_function(self, title: str, function: Callable[[Any, Any], Any]) -> None:
        shown = title or _name_of(function)
        name = re.sub(r"[^a-z0-9_]+", "_", shown.lower()).strip("_") or "own"
        if _core.score_metric_named(name) is not None or name in self._own:
            name = f"{name}_own{len(self._own) or ''}"
        self._own[name] = (shown, function)
        self._order.append(name)

    def _computed(self) -> list[tuple[str, str, float, str]]:
        if not self._own:
            return []
        outputs, labels = _joined(*self._all)
        return [
            (name, title, _number(title, function, outputs, labels), self._better)
            for name, (title, function) in self._own.items()
        ]


def _listed(given: Any) -> list[tuple[str, Any]]:
    if isinstance(given, Mapping):
        found = [(str(title), one) for title, one in given.items()]
    elif isinstance(given, (list, tuple)):
        found = [("", one) for one in given]
    else:
        found = [("", given)]
    if not found:
        raise BadInput("metric: name one at least, such as 'top1'")
    return found


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "own" if name == "<lambda>" else str(name)


def _joined(outputs: list[Any], labels: list[Any]) -> tuple[Any, Any]:
    """All batches as one, in the kind that the model returns: tensors, or arrays."""
    if outputs and is_torch_tensor(outputs[0]):
        import torch

        tensors = [
            one.detach().cpu() if is_torch_tensor(one) else torch.as_tensor(np.array(one))
            for one in labels
        ]
        return torch.cat(outputs), torch.cat(tensors)
    arrays = [as_numpy(one, "the outputs") for one in outputs]
    return np.concatenate(arrays), np.concatenate([as_numpy(one, "the labels") for one in labels])


def _number(name: str, function: Callable[[Any, Any], Any], outputs: Any, labels: Any) -> float:
    try:
        value = float(function(outputs, labels))
    except Exception as error:
        raise BadInput(
            f"the metric {name} raised {type(error).__name__}: "
            f"{str(error).partition(chr(10))[0]}; it gets all outputs and all labels, and returns "
            "a number"
        ) from error
    if not math.isfinite(value):
        raise Failed(f"the metric {name} returned {value}, which is no score")
    return value
