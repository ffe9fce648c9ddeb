"""Objects that a model is given and changes, such as a cache: put back after every run.

A cache that grows with every call would make every run longer than the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch

_DEEPEST = 8


class ObjectState:
    """The fields of objects of classes of their own, and the lists and mappings in them.

    >>> state = ObjectState([cache])
    >>> model(x, past_key_values=cache)
    >>> state.restore()
    """

    def __init__(self, values: Iterable[Any]) -> None:
        self._fields: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
        self._lists: list[tuple[list[Any], list[Any]]] = []
        self._seen: set[int] = set()
        for value in values:
            self._watch(value, 0)

    def __bool__(self) -> bool:
        return bool(self._fields or self._lists)

    def restore(self) -> None:
        for live, held in self._fields:
            if _changed(live, held):
                live.clear()
                live.update(held)
        for items, before in self._lists:
            if len(items) != len(before) or any(
                a is not b for a, b in zip(items, before, strict=True)
            ):
                items[:] = before

    def _watch(self, value: Any, depth: int) -> None:
        if (
            depth > _DEEPEST
            or id(value) in self._seen
            or isinstance(
                value, (torch.Tensor, torch.nn.Module, type, str, bytes, int, float, type(None))
            )
        ):
            return
        self._seen.add(id(value))
        if isinstance(value, list):
            self._lists.append((value, list(value)))
            inside: Iterable[Any] = value
        elif isinstance(value, dict):
            self._fields.append((value, dict(value)))
            inside = value.values()
        elif isinstance(value, (tuple, Mapping)):
            inside = value.values() if isinstance(value, Mapping) else value
        else:
            fields = getattr(value, "__dict__", None)
            if not isinstance(fields, dict) or type(value).__module__ in ("builtins", "torch"):
                return
            self._fields.append((fields, dict(fields)))
            inside = fields.values()
        for item in list(inside):
            self._watch(item, depth + 1)


def _changed(live: dict[Any, Any], held: dict[Any, Any]) -> bool:
    return len(live) != len(held) or any(
        live.get(name, held) is not value for name, value in held.items()
    )
