"""Counts what runs inside `with`, as torch's FlopCounterMode does, with a rule for every operator.

Example:
    >>> with Counter(depth=2) as counter:
    ...     model(x).sum().backward()
    >>> counter.macs, counter.coverage
    (4089184256, 1.0)
    >>> counter.save("per_layer.csv")
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from torch import nn

from jouletree import _core
from jouletree._interrupts import held
from jouletree._warnings import warn
from jouletree.errors import BadInput
from jouletree.inspection import Inspection
from jouletree.torch.exported import module_of
from jouletree.torch.inspection import recorded
from jouletree.torch.recording import Recorder, Recording
from jouletree.torch.scripted import type_name


class Counter:
    """Counts every operator that runs inside, whoever calls it: several models, functions, backward
    calls and optimisers. Counters nest, and one can be entered again, which starts at zero.

    The code inside runs as always; nothing is put back. `model` names modules by their place in it;
    other models are named by their classes. `depth` is how many levels of modules are shown.
    """

    def __init__(self, model: nn.Module | None = None, depth: int | None = None) -> None:
        self._model = None if model is None else module_of(model)
        self._depth = depth
        self._recorder: Recorder | None = None
        self._recording: Recording | None = None

    def __enter__(self) -> Counter:
        if self._recorder is not None:
            raise BadInput("this counter counts already; make another one")
        self.__dict__.pop("inspection", None)
        self._recording = None
        self._recorder = Recorder(self._model)
        try:
            with held(firmly=True):
                self._recorder.__enter__()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *problem: Any) -> None:
        with held(firmly=True):
            recorder, self._recorder = self._recorder, None
            if recorder is not None:
                recorder.__exit__(*problem)
                self._recording = recorder.recording

    @property
    def recording(self) -> Recording:
        """Every call that was counted."""
        if self._recording is None:
            raise BadInput("nothing was counted yet: leave the with block first")
        return self._recording

    @cached_property
    def inspection(self) -> Inspection:
        """The count as jouletree.inspect gives it: tables, operators, modules, notes."""
        name = "counted calls" if self._model is None else type(self._model).__name__
        return Inspection(_core.inspect_run(self.recording.to_objects(), name))

    @property
    def macs(self) -> int | None:
        """Multiply-accumulates of products and convolutions; a lower bound below full coverage."""
        return _whole(self.inspection, "macs")

    @property
    def flops(self) -> int | None:
        """All floating-point operations; a multiply-accumulate is two of them."""
        return _whole(self.inspection, "flops")

    @property
    def coverage(self) -> float:
        """The share of operators that have a cost rule, 0 to 1."""
        value = self.inspection.coverage.value
        return 1.0 if value is None else float(value)

    @property
    def without_rule(self) -> list[str]:
        """Types of operators that were not counted."""
        return [str(one.type) for one in self.inspection.types if not one.has_rule]

    def table(self, by: str = "module", depth: int | None = None) -> str:
        """What was counted, by module, by operator ("op") or by type of operator ("type")."""
        return self.inspection.table(by=by, depth=self._depth if depth is None else depth)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the per-layer file (``.csv``), the tree file (``.jsonl``) or ``.json``."""
        return self.inspection.save(path)

    def __str__(self) -> str:
        return "a counter that has counted nothing" if self._recording is None else self.table()


def count(
    model: Any, inputs: Any = None, kwargs: Mapping[str, Any] | None = None
) -> tuple[int, int]:
    """Multiply-accumulates and parameters of a model, as thop's profile returns them.

    Nothing is computed wherever that is possible. An operator without a rule is warned of by name;
    it counts as nothing in the sum.

    >>> macs, params = count(model, x)
    """
    module = module_of(model)
    name = type_name(module)
    counted = Inspection(_core.inspect_run(recorded(module, inputs, kwargs), name))
    missing = [str(one.type) for one in counted.types if not one.has_rule]
    if missing:
        warn(
            f"{name}: the MACs are a lower bound, because nobody knows the work of "
            f"{', '.join(missing)}",
            UserWarning,
        )
    return _whole(counted, "macs") or 0, _whole(counted, "params") or 0


def _whole(counted: Inspection, metric: str) -> int | None:
    value = counted.metrics[metric].value
    return None if value is None else int(value)
