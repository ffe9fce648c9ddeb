"""Times the layers of a model while it runs, as torchprof does.

Example:
    >>> with LayerTimer(model) as timer:
    ...     model(x)
    >>> print(timer)
    >>> timer.save("per_layer.csv")
"""

from __future__ import annotations

import csv
import io
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from jouletree import _core
from jouletree._interrupts import held
from jouletree.errors import BadInput
from jouletree.torch.devices import waiting_for, working_later
from jouletree.torch.exported import module_of
from jouletree.torch.modules import ModuleTree, listen, stop_listening
from jouletree.torch.modules import Path as Steps
from jouletree.torch.values import tensors_in

_COLUMNS = (
    *("name", "type", "input_size", "output_size", "kernel_size", "stride", "padding"),
    *("params", "macs", "flops", "bytes"),
    *("time_s", "energy_j", "time_provenance", "energy_provenance"),
)


@dataclass(slots=True)
class LayerTime:
    """One module: how often it was called, and how long that took in all."""

    path: Steps
    module: nn.Module
    calls: int = 0
    seconds: float = 0.0  #: With the modules inside.
    own_seconds: float = 0.0  #: Without them.
    input_size: str = ""
    output_size: str = ""

    @property
    def name(self) -> str:
        """Dotted path from the model: "encoder.layer.0"; empty for the model itself."""
        return ".".join(step[: step.index("(")] for step in self.path)


@dataclass(slots=True)
class _Open:
    layer: LayerTime
    called: float  #: When the timer began to note the call.
    begin: float
    inside: float = 0.0  #: Of the modules inside.
    timing: float = 0.0  #: What noting their calls took, which is nobody's time.


class LayerTimer:
    """Times every module of a model, forward, from call to return. The device is synchronised at
    both ends, so that a layer is charged for its own work; that slows the whole down a little. What
    the timer itself takes is in no module's time.

    The same code as always runs inside; each thread has its own stack of modules.
    """

    def __init__(self, model: Any) -> None:
        self._model = module_of(model)
        self._tree = ModuleTree(self._model)
        self._layers: dict[Steps, LayerTime] = {}
        self._open: dict[int, list[_Open]] = {}
        self._synchronize = waiting_for(
            working_later((*self._model.parameters(), *self._model.buffers()))
        )
        self._running = False

    def __enter__(self) -> LayerTimer:
        if self._running:
            raise BadInput("this timer runs already; make another one")
        self._layers.clear()
        self._open.clear()
        try:
            with held(firmly=True):
                listen(self)
                self._running = True
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        with held(firmly=True):
            if self._running:
                stop_listening(self)
            self._running = False

    def enter(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._tree.path_of(module) is None:
            return  # Of another model.
        self._synchronize()  # What the module around has begun is its own time.
        called = time.perf_counter()
        stack = self._open.setdefault(threading.get_ident(), [])
        path = self._tree.path_in(module, stack[-1].layer.path if stack else None)
        layer = self._layers.setdefault(path, LayerTime(path, module))
        if not layer.input_size:
            layer.input_size = _size_of([args, kwargs])
        stack.append(_Open(layer, called, time.perf_counter()))

    def leave(self, module: nn.Module, output: Any) -> None:
        stack = self._open.get(threading.get_ident(), [])
        if not stack or stack[-1].layer.module is not module:
            return
        self._synchronize()
        done = stack.pop()
        seconds = time.perf_counter() - done.begin - done.timing
        layer = done.layer
        layer.calls += 1
        layer.seconds += seconds
        layer.own_seconds += seconds - done.inside
        layer.output_size = layer.output_size or _size_of(output)
        if stack:
            stack[-1].inside += seconds
            stack[-1].timing += time.perf_counter() - done.called - seconds

    @property
    def layers(self) -> list[LayerTime]:
        """In the order of their first calls."""
        return list(self._layers.values())

    @property
    def runs(self) -> int:
        """How often the whole model was called."""
        whole = self._layers.get(())
        return whole.calls if whole is not None else 0

    def table(self, depth: int | None = None) -> str:
        """One line per module: its time with and without the modules inside, and its calls."""
        shown = [one for one in self.layers if depth is None or len(one.path) <= depth]
        if not shown:
            return "no module of the model was called"
        rows = [("module", "type", "time", "own time", "calls")]
        for one in shown:
            label = "  " * len(one.path) + (one.path[-1].split("(")[0] if one.path else "model")
            rows.append(
                (
                    label,
                    type(one.module).__name__,
                    _seconds(one.seconds),
                    _seconds(one.own_seconds),
                    str(one.calls),
                )
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(_line(row, widths) for row in rows)

    def to_csv(self) -> str:
        """The per-layer file: modules that have none inside, with seconds per run of the model.
        What was not counted or measured is an empty field."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for one in self.layers:
            if not one.module._modules:
                writer.writerow(self._row(one))
        return text.getvalue()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the per-layer file."""
        _core.write_file(str(path), self.to_csv())
        return Path(path)

    def __str__(self) -> str:
        return self.table()

    def _row(self, one: LayerTime) -> list[object]:
        params = sum(parameter.numel() for parameter in one.module.parameters())
        settings = [
            _joined(getattr(one.module, name, None))
            for name in ("kernel_size", "stride", "padding")
        ]
        return [
            one.name or type(one.module).__name__,
            type(one.module).__name__,
            one.input_size,
            one.output_size,
            *settings,
            params,
            "",
            "",
            "",
            repr(one.seconds / max(self.runs, 1)),
            "",
            "measured",
            "",
        ]


def _size_of(value: Any) -> str:
    tensors = tensors_in(value)
    return _joined(tuple(tensors[0].shape)) if tensors else ""


def _joined(sizes: Any) -> str:
    if isinstance(sizes, int):
        return str(sizes)
    if isinstance(sizes, Iterable) and not isinstance(sizes, str):
        return "x".join(str(size) for size in sizes)
    return "" if sizes is None else str(sizes)


def _seconds(seconds: float) -> str:
    return _core.quantity_text(seconds, "s", None, None)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
    right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
    return "  ".join(left + right).rstrip()
