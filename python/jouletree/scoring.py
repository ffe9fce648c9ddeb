"""How well a model does on data whose answers are known, and what that costs."""

from __future__ import annotations

import difflib
import inspect
import json
import math
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jouletree import _arguments, _core, _sources
from jouletree._costs import Costs
from jouletree._html import page, rows_table
from jouletree._interrupts import held, tell
from jouletree._turns import turn
from jouletree.errors import BadInput
from jouletree.metrics import Metrics
from jouletree.progress import shown_progress
from jouletree.quantity import Quantity

if TYPE_CHECKING:
    from jouletree._scored_metrics import MetricGiven

_OUTPUTS = ("auto", "logits", "probabilities")


class Score:
    """What a model does on data, by one metric or several. Prints as ``jouletree score`` prints.

    >>> score = jouletree.score(net, loader, metric="top1")
    >>> score.value, score.n, score.energy
    """

    def __init__(self, scored: _core.ScoredModel) -> None:
        self._scored = scored

    @property
    def metric(self) -> str:
        """The primary one."""
        return str(self._json["primary"])

    @property
    def value(self) -> float:
        """Of the primary metric."""
        return float(self._json["scores"][0]["value"])

    @property
    def unit(self) -> str:
        return str(self._json["scores"][0]["unit"])

    @property
    def provenance(self) -> str:
        return str(self._json["scores"][0]["provenance"])

    @cached_property
    def metrics(self) -> Metrics:
        """All that were asked for, by their names, the primary one first."""
        return Metrics({str(one["name"]): one for one in self._json["scores"]})

    @property
    def n(self) -> int:
        """Examples."""
        return int(self._json["examples"])

    @property
    def batch(self) -> int | None:
        """Most examples in one call of the model."""
        batch = self._json["batch"]
        return None if batch is None else int(batch)

    @property
    def time(self) -> Quantity:
        """Of the whole evaluation, with reading the data and scoring."""
        return Quantity.from_json(self._json["time_s"])

    @property
    def model_time(self) -> Quantity:
        """Of that, inside the model."""
        return Quantity.from_json(self._json["model_time_s"])

    @property
    def energy(self) -> Quantity:
        """Of the whole evaluation."""
        return Quantity.from_json(self._json["energy_j"])

    @property
    def time_per_example(self) -> Quantity:
        return self._cost("score_time_s", "s")

    @property
    def energy_per_example(self) -> Quantity:
        return self._cost("score_energy_j", "J")

    @property
    def epr(self) -> Quantity:
        """Energy-precision ratio: ``error ** epr_alpha`` times the energy per example."""
        # Its "error" is that of the model, not a reason.
        return Quantity.from_json({**self._json["epr"], "error": None})

    @property
    def epr_alpha(self) -> float:
        return float(self._json["epr"]["alpha"])

    @property
    def notes(self) -> list[str]:
        """How outputs and labels were read."""
        return [_core.python_words(note) for note in self._json["notes"]]

    def add_to(self, folder: str | os.PathLike[str]) -> None:
        """Puts the score into a profile that ``Profile.save`` or ``jouletree profile -o`` wrote.
        The score of a plainly different model is refused."""
        self._scored.add_to(_arguments.path_of("folder", folder, "the folder of a profile"))

    def to_json(self) -> str:
        """What the command prints with ``--format json``."""
        return self._scored.json()

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return self._scored.table().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        metrics = Metrics(self._json["metrics"])
        titles = {f"score_{one['name']}": one["friendly_name"] for one in self._json["scores"]}
        rows = [
            (titles.get(name, metrics.title(name)), metrics.text(name), quantity.provenance)
            for name, quantity in metrics.items()
        ]
        title = f"{self._json['model']}: {self.n} examples"
        return page(title, rows_table(rows), "", self.notes)

    def _cost(self, name: str, unit: str) -> Quantity:
        found = self._json["metrics"].get(name)
        return Quantity(None, unit) if found is None else Quantity.from_json(found)

    @cached_property
    def _json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._scored.json())
        return content


@_arguments.checked_call
def score(
    model: Any,
    data: Any,
    labels: Any = None,
    *,
    metric: MetricGiven | Sequence[MetricGiven] | Mapping[str, MetricGiven] = "top1",
    batch: int | None = None,
    better: str = "neither",
    output: str | int | None = None,
    outputs: str = "auto",
    class_axis: int | None = None,
    ignore_label: int = -100,
    epr_alpha: float = 1.0,
    name: str | None = None,
    values: Mapping[str, Any] | None = None,
    threads: int = 1,
    level: str = "all",
    execution: str = "sequential",
    device: str | None = None,
    provider_options: Mapping[str, str] | None = None,
) -> Score:
    """Scores a model on data, and measures the time and energy of that.

    ``model`` is a PyTorch module (run in eval mode without gradients, and left as it was), a Keras
    model, a model file, the bytes of one, an ``onnx.ModelProto``, a name of the zoo, or anything
    that can be called. ``data`` are arrays (``data=x, labels=y`` or ``data=(x, y)``; ``x`` may be a
    dictionary or a tuple for several inputs, and both may be ``.npy`` files), or anything that
    gives batches: a ``DataLoader``, a ``tf.data.Dataset``, a generator of ``(inputs, labels)`` or
    of dictionaries with ``"labels"``. Arrays are cut into batches of ``batch``, 32 unless said or
    unless the model takes another number.

    ``metric`` is one name or several, the first being the primary one: ``"top1"``, ``"top5"`` (any
    k), ``"error"``, ``"loss"``, ``"perplexity"``, ``"f1"``, ``"precision"``, ``"recall"``,
    ``"auc"``, ``"mse"``, ``"rmse"``, ``"mae"``, ``"r2"``; or a function of one's own, which is
    called once with all outputs and labels and returns a number. ``better`` says for functions
    which of two values people want: ``"higher"``, ``"lower"`` or ``"neither"``.

    >>> jouletree.score(net, loader, metric=["top1", "top5"])
    >>> jouletree.score("net.onnx", x, y, metric="loss")
    >>> jouletree.score(net, (x, y), metric=lambda outputs, labels: (outputs - labels).abs().max())
    """
    _sources.need("numpy", "numpy", "scoring a model")
    from jouletree._scored_data import batches_of
    from jouletree._scored_metrics import ScoredMetrics
    from jouletree._scored_models import caller_of

    metrics = ScoredMetrics(metric, better, outputs, class_axis, ignore_label)
    batch = None if batch is None else _arguments.whole_number("batch", batch, 1)
    _arguments.one_of("outputs", outputs, _OUTPUTS)
    alpha = _finite("epr_alpha", epr_alpha)
    engine = {
        "values": _arguments.by_names("values", values, "{'NAME': NUMBER}"),
        "batch": batch,
        "threads": _arguments.whole_number("threads", threads, 1, 1024),
        "level": level,
        "execution": execution,
        "device": device,
        "provider_options": _arguments.by_names(
            "provider_options", provider_options, "{'NAME': 'VALUE'}"
        ),
    }
    show = shown_progress()
    with turn(show), held(), caller_of(model, output, engine, name) as called:
        costs = Costs("score")
        line = _core.ShownProgress(show)
        given = batches_of(data, labels, batch or called.batch)
        with costs:
            for one in given:
                metrics.add(called(one.inputs, one.examples), one.labels, one.examples)
                line.tell("scoring", metrics.examples, given.examples or 0)
                tell()
        del line
    facts = {
        "model": called.name,
        "engine": called.engine,
        "params": called.params(),
        "epr_alpha": alpha,
        "examples": metrics.examples,
        "batch": min(given.largest, called.fixed_batch() or given.largest),
        "time_s": costs.time_s,
        "model_time_s": called.time_s,
        "notes": [*called.notes(), *costs.notes],
    }
    return Score(metrics.finished(facts, costs.window))


def score_of(given: Any, model: Any) -> Score:
    """What ``profile(..., score=…)`` was given: a score, or what to score by."""
    if isinstance(given, Score):
        return given
    if isinstance(given, Mapping):
        _check_arguments(given)
        return score(model, **given)
    if isinstance(given, tuple) and len(given) in (2, 3):
        *data, metric = given
        is_metric = isinstance(metric, (str, list)) or callable(metric)
        if is_metric and not hasattr(metric, "__array__"):
            return score(model, *data, metric=metric)
    raise BadInput(
        f"score is {_arguments.kind_of(given)}: give jouletree.score(…), (data, metric), or the "
        "arguments of jouletree.score as a dictionary"
    )


def _check_arguments(given: Mapping[Any, Any]) -> None:
    names = [name for name in inspect.signature(score).parameters if name != "model"]
    for name in given:
        if name not in names:
            likely = difflib.get_close_matches(str(name), names, 1)
            meant = f"did you mean {likely[0]!r}? It takes" if likely else "it takes"
            raise BadInput(f"score: there is no argument {name!r}; {meant}: {', '.join(names)}")
    if "data" not in given:
        raise BadInput("score: 'data' is missing; give {'data': (x, y), 'metric': 'top1'}")


def _finite(name: str, given: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise BadInput(f"{name} is {given!r}: give a finite number from 0 on, such as 1")
    return number
