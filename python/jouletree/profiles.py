"""A measured model, just now or read from a folder."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jouletree import _core
from jouletree._arguments import checked_call, path_of, whole_number
from jouletree._frame import Framed
from jouletree._html import metrics_table, page, tree_of
from jouletree.errors import BadInput
from jouletree.inspection import layers_frame
from jouletree.ledger import Ledger
from jouletree.measured import MeasuredNode, MeasuredOperator
from jouletree.metrics import Metrics, own_metrics
from jouletree.quantity import Quantity
from jouletree.reporting import Subject

if TYPE_CHECKING:
    import pandas as pd

    from jouletree.scoring import Score


class Profile(Framed):
    """A measured model. Prints as ``jouletree profile`` prints.

    >>> profile = jouletree.profile("resnet-18", budget="60s")
    >>> profile.metrics["time_s"].value, profile.metrics["time_s"].provenance
    >>> profile.save("profiles/resnet-18")
    """

    def __init__(self, profiled: _core.ProfiledModel) -> None:
        self._profiled = profiled
        self._own: list[_core.OwnMetric] = []
        self._own = self._own_now()

    @property
    def name(self) -> str:
        """Of the model."""
        return self._profiled.name

    @cached_property
    def metrics(self) -> Metrics:
        """Every metric of the whole model by its name: measured, counted of the graph that the
        engine ran, and one's own."""
        return Metrics(json.loads(self._profiled.metrics(self._own)))

    @property
    def time(self) -> Quantity:
        """Of one run of the model."""
        return self.metrics["time_s"]

    @property
    def energy(self) -> Quantity:
        """Of one run of the model."""
        return self.metrics["energy_j"]

    @cached_property
    def operators(self) -> list[MeasuredOperator]:
        """Kinds of operators, by expected time, longest first."""
        return [MeasuredOperator(row) for row in self._json["operators"]]

    @cached_property
    def modules(self) -> list[MeasuredNode]:
        """The tree from the top, as it is printed; operators are its leaves."""
        return [MeasuredNode(row) for row in self._json["tree"]]

    @cached_property
    def ledger(self) -> Ledger:
        """What the operators explain of the whole."""
        return Ledger(self._json["ledger"])

    @property
    def notes(self) -> list[str]:
        """What one must know about the numbers, one sentence each."""
        return [_core.python_words(note) for note in self._json["notes"]]

    @property
    def score(self) -> Score | None:
        """How well the model does, where that was measured, too."""
        scored = self._profiled.score
        if scored is None:
            return None
        from jouletree.scoring import Score

        return Score(scored)

    def with_score(self, score: Score) -> Profile:
        """The same profile with the result of ``jouletree.score``, whose metrics are then metrics
        of the profile: ``profile.metrics["score_top1"]``. The score of a plainly different model
        is refused; where nobody can tell, a note of the score says so."""
        return self._with_score(score, is_same_model=False)

    def _with_score(self, score: Score, *, is_same_model: bool) -> Profile:
        return Profile(score._scored.joined(self._profiled, is_same_model))

    def table(self, depth: int | None = None) -> str:
        """What the command prints with ``--depth``."""
        depth = None if depth is None else whole_number("depth", depth, 0)
        return self._profiled.table(self._own, depth)

    def to_json(self) -> str:
        """What the command prints with ``--format json``."""
        return self._profiled.json(self._own)

    def to_pandas(self) -> pd.DataFrame:
        """One row per operator, as in ``layers.csv``; what is unknown is NaN."""
        return layers_frame(self._profiled.layers)

    def save(self, folder: str | os.PathLike[str], *, replace: bool = False) -> Path:
        """Writes the folder that ``jouletree profile -o`` writes. ``jouletree.load`` and
        ``jouletree show`` read it. An older profile in it is kept unless ``replace``."""
        target = Path(path_of("folder", folder, "the path of a folder"))
        if target.is_file():
            raise BadInput(f"{target} is a file: give the path of a folder")
        self._profiled.save(str(target), replace)
        return target

    def __str__(self) -> str:
        return self.table().rstrip("\n")

    __repr__ = __str__

    def _small(self) -> str:
        tree = tree_of(self.modules, {"time": "time_s", "energy": "energy_j"})
        return page(self.name, metrics_table(self.metrics), tree, self.notes)

    def _subjects(self) -> list[Subject]:
        return [(self._profiled, self.name, self._own)]

    def _own_now(self) -> list[_core.OwnMetric]:
        """With all metrics that are defined at present."""
        return own_metrics(self, lambda: json.loads(self._profiled.metrics()))

    @cached_property
    def _json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._profiled.json())
        return content


@checked_call
def load(folder: str | os.PathLike[str]) -> Profile:
    """Reads a profile that ``Profile.save`` or ``jouletree profile -o`` wrote.

    >>> jouletree.load("profiles/resnet-18").ledger.attribution_time
    """
    wanted = "a folder that Profile.save or 'jouletree profile -o' wrote"
    return Profile(_core.load_profile(path_of("folder", folder, wanted)))
