"""What the layers of a model have to do, and how long they take.

A layer is a module that runs operators of its own: a Linear, and also an attention module whose
products stand between the Linears inside it. Its time is its own, without the modules inside, and
with what Python and PyTorch need to call it. So no time is counted twice.
"""

from __future__ import annotations

import csv
import gc
import math
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import torch
from torch import nn

import jouletree as jt
from dataset.models import Inputs
from jouletree.torch import LayerTime, LayerTimer

_LEAST_RUNS = 5
_MOST_RUNS = 500
_LEAST_WARM_UPS = 3
_WARM_UP_SHARE = 0.15  #: Of the budget.

Operator = dict[str, str]  #: A row of the per-layer file.


@dataclass
class Times:
    """Seconds of one run each."""

    whole: list[float] = field(default_factory=list)
    own: dict[str, list[float]] = field(default_factory=dict)  #: One call of a layer, by its path.
    layers: dict[str, LayerTime] = field(default_factory=dict)


@dataclass(frozen=True)
class Seconds:
    """The middle of all runs, and an interval that holds the true median in 95 of 100 cases."""

    value: float
    low: float
    high: float
    runs: int

    @staticmethod
    def of(samples: list[float]) -> Seconds:
        ordered = sorted(samples)
        count = len(ordered)
        reach = 0.98 * math.sqrt(count)
        low = max(math.floor(count / 2 - reach), 0)
        high = min(math.ceil(count / 2 + reach), count - 1)
        return Seconds(median(ordered), ordered[low], ordered[high], count)


def operators_of(model: nn.Module, inputs: Inputs) -> list[Operator]:
    """Every operator that a run of the model makes, as jouletree counts it."""
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        path = jt.inspect(model, inputs).save(Path(folder) / "operators.csv")
        with path.open(newline="") as file:
            return list(csv.DictReader(file))


def time_layers(model: nn.Module, inputs: Inputs, budget_s: float) -> Times:
    """Runs the model, in turn without a timer (for the whole) and with one. Each run is timed by
    itself, so that the median leaves out those that other programs disturbed."""
    times = Times()
    timer = LayerTimer(model)

    with torch.no_grad():
        _warm_up(model, inputs, budget_s)
        gc.collect()
        gc.disable()
        try:
            _take_times(times, timer, model, inputs, (1 - _WARM_UP_SHARE) * budget_s)
        finally:
            gc.enable()
    return times


def work_of_layers(operators: list[Operator], times: Times) -> dict[str, list[Operator]]:
    """The operators of each timed layer by its path; layers without work have none.

    What runs below a module that was not called itself belongs to the nearest one above."""
    work: dict[str, list[Operator]] = {path: [] for path in times.layers}
    for operator in operators:
        path = operator["name"]
        while path:
            path = path.rpartition(".")[0]
            if path in work:
                break
        if any(_number(operator[column]) != 0 for column in ("flops", "bytes")):
            work[path].append(operator)
    return {path: rows for path, rows in work.items() if rows}


def most_work(rows: list[Operator]) -> Operator:
    """The operator that does most: by products, else by other arithmetic, else by bytes."""
    return max(rows, key=lambda row: [_number(row[key]) or 0 for key in ("macs", "flops", "bytes")])


def total(rows: list[Operator], column: str) -> float | None:
    """Unknown where a part is."""
    numbers = [_number(row[column]) for row in rows]
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _number(text: str) -> float | None:
    return float(text) if text else None


def _warm_up(model: nn.Module, inputs: Inputs, budget_s: float) -> None:
    begin = time.perf_counter()
    runs = 0
    while runs < _LEAST_WARM_UPS or time.perf_counter() - begin < _WARM_UP_SHARE * budget_s:
        model(**inputs)
        runs += 1


def _take_times(
    times: Times, timer: LayerTimer, model: nn.Module, inputs: Inputs, budget_s: float
) -> None:
    end = time.perf_counter() + budget_s
    while len(times.whole) < _LEAST_RUNS or (
        len(times.whole) < _MOST_RUNS and time.perf_counter() < end
    ):
        begin = time.perf_counter()
        model(**inputs)
        times.whole.append(time.perf_counter() - begin)
        with timer:
            model(**inputs)
        for layer in timer.layers:
            times.layers[layer.name] = layer
            times.own.setdefault(layer.name, []).append(layer.own_seconds / layer.calls)
