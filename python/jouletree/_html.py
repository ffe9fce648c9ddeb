"""Results in notebooks: a small table of metrics and a tree that unfolds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Protocol

from jouletree.quantity import Quantity

# A notebook is a file that people keep and send: a tree of thousands of operators stays outside.
_MOST_LINES = 400

_STYLE = (
    "<style>.jouletree{font-size:90%}.jouletree td,.jouletree th{text-align:left;padding:1px 8px}"
    ".jouletree .number{text-align:right}.jouletree details{margin-left:1.2em}"
    ".jouletree .leaf{margin-left:2.2em}.jouletree .dim{opacity:.6}</style>"
)


class TreeLine(Protocol):
    """What the tree shows of a node."""

    @property
    def scope(self) -> str: ...
    @property
    def type(self) -> str | None: ...
    @property
    def level(self) -> int | None: ...


def page(title: str, metrics: Mapping[str, Quantity], tree: str, notes: list[str]) -> str:
    """The whole view of a result."""
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td class='number'>{escape(_number(quantity))}</td>"
        f"<td class='dim'>{escape(quantity.failure or quantity.provenance or '')}</td></tr>"
        for name, quantity in metrics.items()
    )
    lines = "".join(f"<p class='dim'>{escape(note)}</p>" for note in notes)
    return (
        f"{_STYLE}<div class='jouletree'><b>{escape(title)}</b>"
        f"<table>{rows}</table>{tree}{lines}</div>"
    )


def tree_of(nodes: Sequence[TreeLine], columns: tuple[str, ...]) -> str:
    """Nodes in the order of the tree, as lists that unfold; the first level is open."""
    shown = _within_limit(nodes)
    parts: list[str] = []
    depth = 0
    for place, node in enumerate(shown):
        level = node.level or 0
        while depth > level:
            parts.append("</details>")
            depth -= 1
        has_children = place + 1 < len(shown) and (shown[place + 1].level or 0) > level
        label = _label(node, columns)
        if has_children:
            parts.append(f"<details{' open' if level == 0 else ''}><summary>{label}</summary>")
            depth = level + 1
        else:
            parts.append(f"<div class='leaf'>{label}</div>")
    parts.append("</details>" * depth)
    if len(shown) < len(nodes):
        parts.append(
            f"<p class='dim'>{len(nodes) - len(shown)} deeper lines are left out; "
            "print(result.table(depth=…)) shows them</p>"
        )
    return "".join(parts)


def _within_limit(nodes: Sequence[TreeLine]) -> list[TreeLine]:
    """As many levels as fit, at least two."""
    deepest = max((node.level or 0 for node in nodes), default=0)
    for depth in range(deepest, 1, -1):
        shown = [node for node in nodes if (node.level or 0) <= depth]
        if len(shown) <= _MOST_LINES:
            return shown
    return [node for node in nodes if (node.level or 0) <= 1][:_MOST_LINES]


def _label(node: TreeLine, columns: tuple[str, ...]) -> str:
    name = node.scope.rpartition(".")[2] or "model"
    type_name = f" <span class='dim'>{escape(node.type)}</span>" if node.type else ""
    numbers = (f"{column} {_number(getattr(node, column))}" for column in columns)
    return f"{escape(name)}{type_name} <span class='dim'>{escape(', '.join(numbers))}</span>"


def _number(quantity: Quantity) -> str:
    """Without what stands in the next column."""
    return str(replace(quantity, provenance=None, failure=None))
