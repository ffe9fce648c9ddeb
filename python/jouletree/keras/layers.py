"""Where the layers of a model stand, and how many parameters each has."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]

#: Around an index, it makes a name that nobody gives to a layer.
_MARK = "jouletree{}x"
_MARKED = re.compile(r"jouletree(\d+)x")
_MARKED_STEP = re.compile(r"jouletree\d+x/?")
#: What would end a path, a line or a field where the paths are written down.
_UNFIT = re.compile(r"[\x00-\x1f/]")


@dataclass(frozen=True)
class Place:
    """A layer, and the names from the outermost one inside the model to its own."""

    layer: Any
    path: Path


class LayerTree:
    """The layers of a model, each in one place: where it was found first."""

    def __init__(self, model: Any) -> None:
        self.places = [Place(model, ())]
        self._index = {id(model): 0}
        self._taken: set[Path] = {()}
        self._add_below(0)

    def mark_of(self, layer: Any, around: Any) -> str:
        """A name that tells the place of a layer. One that the model does not know of stands in
        the layer that calls it."""
        index = self._index.get(id(layer))
        if index is None:
            index = self._add(layer, self._index.get(id(around), 0))
        return _MARK.format(index)

    def marked_in(self, name: str) -> tuple[Place, str] | None:
        """The innermost place that a name of the traced graph tells of, and what follows there."""
        marks = list(_MARKED.finditer(name))
        if not marks or int(marks[-1][1]) >= len(self.places):
            return None
        found = marks[-1]
        return self.places[int(found[1])], name[found.end() :].partition("/")[2]

    def name_of(self, place: Place, model: str) -> str:
        """As messages say it."""
        if not place.path:
            return model
        return f"the layer {'.'.join(place.path)} ({type(place.layer).__name__}) of {model}"

    def rest_of(self, place: Place, rest: str) -> str:
        """Without the scope of the layer itself, which Keras opens: ``Conv1_1/convolution``."""
        first, slash, others = rest.partition("/")
        own = str(place.layer.name)
        is_own = first == own or re.fullmatch(re.escape(own) + r"_\d+", first) is not None
        return others if slash and is_own else rest

    def described(self, used: Iterable[Path]) -> list[tuple[Path, str, int, int]]:
        """Path, class, parameters and trainable ones of all layers that have parameters or hold one
        that is used; those of the whole model first."""
        needed = {path[:depth] for path in used for depth in range(len(path) + 1)}
        rows = []
        for place in self.places:
            params = parameters_in(place.layer.weights)
            trainable = parameters_in(place.layer.trainable_weights)
            if params > 0 or place.path in needed:
                rows.append((place.path, type(place.layer).__name__, params, trainable))
        return rows

    def _add_below(self, index: int) -> None:
        for layer in _layers_in(self.places[index].layer):
            if id(layer) not in self._index:
                self._add(layer, index)

    def _add(self, layer: Any, above: int) -> int:
        name = _UNFIT.sub("_", str(layer.name))
        path = (*self.places[above].path, name)
        times = 1
        while path in self._taken:
            times += 1
            path = (*path[:-1], f"{name}_{times}")
        self._taken.add(path)
        index = len(self.places)
        self._index[id(layer)] = index
        self.places.append(Place(layer, path))
        self._add_below(index)
        return index


def without_marks(text: str) -> str:
    """What others say of operations, with the names that these had without marks."""
    return _MARKED_STEP.sub("", text)


def parameters_in(weights: Iterable[Any]) -> int:
    """Each counts once, as in Keras."""
    return sum(math.prod(weight.shape) for weight in {id(one): one for one in weights}.values())


def _layers_in(layer: Any) -> list[Any]:
    return list(layer._flatten_layers(include_self=False, recursive=False))
