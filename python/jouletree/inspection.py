"""Counting a model: parameters, MACs, FLOPs, bytes and memory, without running it."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jouletree import _core
from jouletree._arguments import checked_call, path_of, whole_number
from jouletree._html import metrics_table, page, tree_of
from jouletree._sources import counted, need
from jouletree.errors import BadInput
from jouletree.metrics import Metrics, own_metrics
from jouletree.quantity import Quantity
from jouletree.reporting import Reported, Subject

if TYPE_CHECKING:
    import pandas as pd


class CountedNode:
    """An operator, a module, or all operators of a type, with what was counted of it."""

    __slots__ = ("_json",)

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def scope(self) -> str:
        """Dotted path from the root; empty for the whole model and for types."""
        return str(self._json.get("scope", ""))

    @property
    def type(self) -> str | None:
        """Of the operator, or the class of the module where the model says it."""
        type_name: str | None = self._json["type"]
        return type_name

    @property
    def level(self) -> int | None:
        """Of a module: how deep in the tree it stands."""
        return self._json.get("level")

    @property
    def count(self) -> int:
        """How many operators it stands for."""
        return int(self._json.get("count", 1))

    @property
    def has_rule(self) -> bool:
        """The work of all its operators is known to the operator table."""
        return bool(self._json["has_rule"])

    @property
    def params(self) -> Quantity:
        return self._quantity("params", "1")

    @property
    def macs(self) -> Quantity:
        return self._quantity("macs", "1")

    @property
    def flops(self) -> Quantity:
        return self._quantity("flops", "1")

    @property
    def bytes_moved(self) -> Quantity:
        return self._quantity("bytes_moved", "B")

    @property
    def weight_bytes(self) -> Quantity:
        return self._quantity("weight_bytes", "B")

    def __repr__(self) -> str:
        return f"<{self.scope or self.type}: {_text(self.params)} params, {_text(self.macs)} MACs>"

    def _quantity(self, key: str, unit: str) -> Quantity:
        value = self._json[key]
        is_bound = bool(self._json.get("lower_bound", False)) and key in (
            "macs",
            "flops",
            "bytes_moved",
        )
        return Quantity(
            value,
            unit,
            provenance=None if value is None else "counted",
            lower_bound=is_bound,
        )


class Inspection(Reported):
    """A counted model. Prints as ``jouletree inspect`` prints.

    >>> result = jouletree.inspect("resnet-18")
    >>> result.params.value
    11689512
    """

    def __init__(self, counted: _core.CountedModel) -> None:
        self._counted = counted
        self._own: list[_core.OwnMetric] = []
        own = self._own_now()
        # What metrics have looked at is without them.
        self.__dict__.pop("_by_module", None)
        self._own = own

    @property
    def name(self) -> str:
        """Of the model: its file name without the ending, or its name in the zoo."""
        return self._counted.name

    @cached_property
    def metrics(self) -> Metrics:
        """Every metric of the whole model by its name: the built-in ones and one's own."""
        return Metrics(json.loads(self._counted.metrics(self._own)))

    @property
    def params(self) -> Quantity:
        """``metrics["params"]``, as nodes have it."""
        return self.metrics["params"]

    @property
    def macs(self) -> Quantity:
        """``metrics["macs"]``."""
        return self.metrics["macs"]

    @property
    def flops(self) -> Quantity:
        """``metrics["flops"]``."""
        return self.metrics["flops"]

    @cached_property
    def operators(self) -> list[CountedNode]:
        """In the order in which they run."""
        return [CountedNode(row) for row in self._by("op")["operators"]]

    @cached_property
    def modules(self) -> list[CountedNode]:
        """The tree from the top, level by level as it is printed; operators are its leaves."""
        return [CountedNode(row) for row in self._by_module["modules"]]

    @cached_property
    def types(self) -> list[CountedNode]:
        """One for each type of operator."""
        return [CountedNode(row) for row in self._by("type")["types"]]

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """The inputs as they were counted: name, type, shape, and who said how large they are."""
        inputs: list[dict[str, Any]] = self._by_module["inputs"]
        return inputs

    @property
    def notes(self) -> list[str]:
        """What one must know about the numbers, one sentence each."""
        return [_core.python_words(note) for note in self._by_module["notes"]]

    @property
    def coverage(self) -> Quantity:
        """The share of operators that have a cost rule, 0 to 1."""
        return self.metrics["coverage_nodes"]

    def table(self, by: str = "module", sort: str = "order", depth: int | None = None) -> str:
        """What the command prints with ``--by``, ``--sort`` and ``--depth``."""
        depth = None if depth is None else whole_number("depth", depth, 0)
        return self._counted.table(self._own, by, sort, depth)

    def to_json(self, by: str = "module") -> str:
        """What the command prints with ``--format json``."""
        return self._counted.json(self._own, by)

    def to_pandas(self) -> pd.DataFrame:
        """One row per operator, as in the per-layer file; what is unknown is NaN."""
        return layers_frame(self._counted.layers())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the tree file (``.jsonl``), the per-layer file (``.csv``) or all metrics
        (``.json``)."""
        target = Path(path_of("path", path, "the path of a file"))
        writers = {
            ".jsonl": self._counted.tree_line,
            ".csv": self._counted.layers,
            ".json": self.to_json,
        }
        if target.suffix not in writers:
            raise BadInput(f"{target}: name a file that ends in {', '.join(writers)}")
        _core.write_file(str(target), writers[target.suffix]())
        return target

    def __str__(self) -> str:
        return self.table().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tree = tree_of(self.modules, {"params": "params", "macs": "macs"})
        return page(self.name, metrics_table(self.metrics), tree, self.notes)

    def _subjects(self) -> list[Subject]:
        return [(self._counted, self.name, self._own)]

    def _own_now(self) -> list[_core.OwnMetric]:
        """With all metrics that are defined at present."""
        return own_metrics(self, lambda: json.loads(self._counted.metrics()))

    @cached_property
    def _by_module(self) -> dict[str, Any]:
        return self._by("module")

    def _by(self, grouping: str) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.to_json(grouping))
        return content


@checked_call
def inspect(
    model: Any,
    x: Any = None,
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
) -> Inspection:
    """Counts a model without running it.

    ``model`` is the path or the bytes of an ONNX file or of a program of torch.export (``.pt2``),
    an ``onnx.ModelProto``, the path of a TorchScript file, a PyTorch module, scripted module or
    exported program, or a name of the zoo (``jouletree zoo list``). ``x`` are its inputs: for a
    PyTorch model what it is called with, with further arguments by name in ``kwargs``; for a file
    arrays, tensors or shapes, alone, in the order of its inputs, or in a dict by name. ``dims`` are
    sizes of symbolic dimensions, ``values`` contents of small inputs that decide shapes or
    branches.

    >>> print(jouletree.inspect("bert-base-uncased", dims={"batch": 8, "sequence": 128}))
    >>> jouletree.inspect("model.onnx", x=(1, 3, 224, 224)).metrics["macs"]
    """
    return Inspection(counted(model, x, dims, values, kwargs))


def zoo() -> list[str]:
    """Names of well-known architectures that stand for a model.

    >>> "bert-base-uncased" in jouletree.zoo()
    True
    """
    return _core.zoo_names()


def _text(quantity: Quantity) -> str:
    """Without how it was obtained, which is the same for all that is counted."""
    return str(replace(quantity, provenance=None))


def layers_frame(text: str) -> pd.DataFrame:
    """The per-layer file as a table of pandas."""
    need("pandas", "pandas", "to_pandas()")
    import pandas as pd

    return pd.read_csv(io.StringIO(text))


__all__: Sequence[str] = ["CountedNode", "Inspection", "inspect", "zoo"]
