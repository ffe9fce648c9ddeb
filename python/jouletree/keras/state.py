"""Puts a model and Keras back as they were.

Tracing a model calls its layers. They remember that they were called, collect losses, build what
was not built yet and take names from a common counter.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_MUTABLE = (list, dict, set)


class Snapshot:
    """What objects hold, down to their lists, dictionaries and sets."""

    def __init__(self) -> None:
        self._fields: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._held: list[tuple[Any, Any]] = []
        self._seen: set[int] = set()

    def take(self, fields: dict[str, Any]) -> None:
        """Of the attributes of an object."""
        if id(fields) in self._seen:
            return
        self._seen.add(id(fields))
        self._fields.append((fields, dict(fields)))
        for value in list(fields.values()):
            self._take_value(value)

    def _take_value(self, value: Any) -> None:
        # TensorFlow puts proxies around dictionaries.
        value = getattr(value, "__wrapped__", value) if isinstance(value, _MUTABLE) else value
        if id(value) in self._seen:
            return
        kind = next((kind for kind in _MUTABLE if issubclass(type(value), kind)), None)
        if kind is not None:
            self._seen.add(id(value))
            self._held.append((value, kind(value)))
            for one in value.values() if kind is dict else list(value):
                self._take_value(one)
        if type(value).__module__.startswith(("keras.", "tensorflow.")) and (
            kind is not None or type(value).__name__ == "Tracker"
        ):
            self.take(getattr(value, "__dict__", {}))

    def put_back(self) -> None:
        """Around what the containers of Keras do when something is added to them."""
        for value, held in self._held:
            if isinstance(value, list):
                list.__setitem__(value, slice(None), held)
            elif isinstance(value, dict):
                dict.clear(value)
                dict.update(value, held)
            elif set(map(id, value)) != set(map(id, held)):
                set.clear(value)
                set.update(value, held)
        for fields, before in self._fields:
            fields.clear()
            fields.update(before)


@contextmanager
def unchanged(model: Any) -> Iterator[None]:
    """Whatever is done inside, the model and the state that Keras keeps are as before."""
    snapshot = Snapshot()
    for layer in model._flatten_layers(include_self=True, recursive=True):
        snapshot.take(vars(layer))
        # A model of Sequential holds another that it hides.
        hidden = getattr(layer, "_functional", None)
        if hidden is not None:
            snapshot.take(vars(hidden))
    common = importlib.import_module("keras.src.backend.common.global_state")
    snapshot.take(vars(common.GLOBAL_STATE_TRACKER))
    drawn = random.getstate()
    try:
        yield
    finally:
        snapshot.put_back()
        random.setstate(drawn)
