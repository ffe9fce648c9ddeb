"""Results in notebooks: a small table of metrics and a tree that unfolds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Protocol

from jouletree import _core
from jouletree.quantity import Quantity

if TYPE_CHECKING:
    from jouletree.metrics import Metrics

# A notebook is a file that people keep and send: a tree of thousands of operators stays outside.
_MOST_LINES = 400

_STYLE = (
    "<style>.jouletree{font-size:90%}.jouletree td,.jouletree th{text-align:left;padding:1px 8px}"
    ".jouletree .number{text-align:right;white-space:nowrap}"
    ".jouletree details{margin-left:1.2em}"
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


def page(title: str, table: str, tree: str = "", notes: Iterable[str] = ()) -> str:
    """The whole view of a result."""
    lines = "".join(f"<p class='dim'>{escape(note)}</p>" for note in notes)
    return f"{_STYLE}<div class='jouletree'><b>{escape(title)}</b>{table}{tree}{lines}</div>"


def metrics_table(metrics: Metrics) -> str:
    """Titles, values as the terminal shows them, and how they were obtained."""
    return rows_table(
        (metrics.title(name), metrics.text(name), quantity.failure or quantity.provenance)
        for name, quantity in metrics.items()
    )


def quantities_table(quantities: Mapping[str, Quantity]) -> str:
    """The same of numbers that are no metrics of a model."""
    return rows_table(
        (title, number_text(quantity), quantity.provenance)
        for title, quantity in quantities.items()
    )


def rows_table(rows: Iterable[tuple[str, str, str | None]]) -> str:
    lines = (
        f"<tr><td>{escape(title)}</td><td class='number'>{escape(text)}</td>"
        f"<td class='dim'>{escape(how or '')}</td></tr>"
        for title, text, how in rows
    )
    return f"<table>{''.join(lines)}</table>"


def columns_table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 0) -> str:
    """Things beside each other, with a row for each metric. The last columns are words."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = []
    for title, *cells in rows:
        kinds = ["<td class='number'>"] * (len(cells) - words) + ["<td>"] * words
        numbers = "".join(
            f"{kind}{escape(cell)}</td>" for kind, cell in zip(kinds, cells, strict=True)
        )
        lines.append(f"<tr><td>{escape(title)}</td>{numbers}</tr>")
    return f"<table><tr>{top}</tr>{''.join(lines)}</table>"


def text_block(text: str) -> str:
    """What the command prints, as it stands."""
    return f"<pre>{escape(text)}</pre>"


def tree_of(nodes: Sequence[TreeLine], columns: Mapping[str, str]) -> str:
    """Nodes in the order of the tree, as lists that unfold; the first level is open. Columns are
    metrics of the catalogue by the names of the attributes that hold them."""
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


def _label(node: TreeLine, columns: Mapping[str, str]) -> str:
    name = node.scope.rpartition(".")[2] or "model"
    type_name = f" <span class='dim'>{escape(node.type)}</span>" if node.type else ""
    numbers = []
    for attribute, metric in columns.items():
        quantity: Quantity = getattr(node, attribute)
        words = _core.metric_words(metric, quantity.value, quantity.lower_bound)
        if words is not None:
            title, text = words
            numbers.append(f"{title} {text}")
    return f"{escape(name)}{type_name} <span class='dim'>· {escape(', '.join(numbers))}</span>"


def number_text(quantity: Quantity) -> str:
    """Without what stands in the next column."""
    return str(replace(quantity, provenance=None, failure=None))
