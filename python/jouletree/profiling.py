"""Measuring a model: time and energy of the whole, its modules and its operators."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jouletree import _core, _engines, _sources
from jouletree._html import page, tree_of
from jouletree._inputs import by_name, input_settings
from jouletree._units import seconds_of, share_of
from jouletree.errors import BadInput, Missing
from jouletree.inspection import layers_frame
from jouletree.metrics import Metrics, own_metrics
from jouletree.progress import shown_progress
from jouletree.quantity import Quantity

if TYPE_CHECKING:
    import pandas as pd


class MeasuredPhase:
    """What the operators of a node take in one phase of a training step."""

    __slots__ = ("_json",)

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def time(self) -> Quantity:
        return self._quantity("time", "s")

    @property
    def energy(self) -> Quantity:
        return self._quantity("energy", "J")

    def __repr__(self) -> str:
        return f"<{self.time}, {self.energy}>"

    def _quantity(self, kind: str, unit: str) -> Quantity:
        value = self._json[f"{kind}_{unit.lower()}"]
        is_bound = value is not None and self._json["operators_unmeasured"] > 0
        provenance = self._json[f"{kind}_provenance"]
        return Quantity(value, unit, provenance=provenance, lower_bound=is_bound)


class MeasuredNode:
    """A node of the tree: the model, a module or an operator, with its time and energy."""

    __slots__ = ("_json",)

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def scope(self) -> str:
        """Dotted path from the root; empty for the whole model."""
        return str(self._json["scope"])

    @property
    def type(self) -> str | None:
        type_name: str | None = self._json["type"]
        return type_name

    @property
    def kind(self) -> str:
        """``"model"``, ``"module"`` or ``"operator"``."""
        return str(self._json["kind"])

    @property
    def level(self) -> int:
        return int(self._json["level"])

    @property
    def alone(self) -> bool:
        """It was measured as it stands; else its figures are sums of its operators."""
        return bool(self._json["alone"])

    @property
    def time(self) -> Quantity:
        return Quantity(self._json["time_s"], "s", provenance=self._json["time_provenance"])

    @property
    def energy(self) -> Quantity:
        return Quantity(self._json["energy_j"], "J", provenance=self._json["energy_provenance"])

    @property
    def operators_time(self) -> Quantity:
        """The sum of what is known of its operators."""
        value = self._json["operators_s"]
        return Quantity(
            value,
            "s",
            provenance=None if value is None else "measured",
            lower_bound=bool(self._json["operators_lower_bound"]),
        )

    @property
    def phases(self) -> dict[str, MeasuredPhase]:
        """Of a training step, by name: forward, loss, backward, optimizer, zero_grad."""
        return {name: MeasuredPhase(json) for name, json in self._json.get("phases", {}).items()}

    def __repr__(self) -> str:
        return f"<{self.scope or 'model'}: {self.time}, {self.energy}>"


class MeasuredOperator:
    """Operators that are equal in all that their cost depends on, and were measured once."""

    __slots__ = ("_json",)

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def name(self) -> str:
        """The scope of the first of them."""
        return str(self._json["first"])

    @property
    def type(self) -> str | None:
        type_name: str | None = self._json["type"]
        return type_name

    @property
    def count(self) -> int:
        """How often it runs in one run of the model."""
        return int(self._json["count"])

    @property
    def time(self) -> Quantity:
        """Of one of them."""
        return self._quantity("time_s", "s")

    @property
    def energy(self) -> Quantity:
        """Of one of them."""
        return self._quantity("energy_j", "J")

    @property
    def share_of_time(self) -> float | None:
        """What all of them take of the whole model's time."""
        return self._json.get("share_time")

    @property
    def failure(self) -> str | None:
        """Why it was not measured alone."""
        return self._json.get("error")

    def __repr__(self) -> str:
        return f"<{self.count} x {self.type} ({self.name}): {self.time}, {self.energy}>"

    def _quantity(self, key: str, unit: str) -> Quantity:
        value = self._json.get(key)
        return Quantity(None, unit) if value is None else Quantity.from_json(value)


class Ledger:
    """What the operators explain of the whole model's time and energy."""

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def attribution_time(self) -> Quantity:
        """The share of the time that the operators explain, 1 for all of it."""
        return self._share("time_s")

    @property
    def attribution_energy(self) -> Quantity:
        return self._share("energy_j")

    @property
    def operators_time(self) -> Quantity:
        """The sum over the operators, each corrected for how fast the model ran around it."""
        return Quantity.from_json(self._json["time_s"]["adjusted_sum"])

    @property
    def operators_energy(self) -> Quantity:
        return Quantity.from_json(self._json["energy_j"]["adjusted_sum"])

    @property
    def remainder_time(self) -> Quantity:
        """The whole less what the operators explain."""
        return self._number("time_s", "remainder", "s")

    @property
    def remainder_energy(self) -> Quantity:
        return self._number("energy_j", "remainder", "J")

    @property
    def operators(self) -> int:
        """Operators of the model."""
        return int(self._json["operators"])

    @property
    def failed(self) -> int:
        """Operators that could not be measured alone."""
        return int(self._json["failed"])

    def __repr__(self) -> str:
        return (
            f"<operators explain {self.attribution_time} of the time, "
            f"{self.attribution_energy} of the energy>"
        )

    def _share(self, of: str) -> Quantity:
        is_bound = bool(self._json[of]["adjusted_sum"]["lower_bound"])
        return replace(self._number(of, "attribution", "1"), lower_bound=is_bound)

    def _number(self, of: str, key: str, unit: str) -> Quantity:
        value = self._json[of][key]
        provenance = None if value is None else self._json[of]["provenance"]
        return Quantity(value, unit, provenance=provenance)


class Profile:
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
        notes: list[str] = self._json["notes"]
        return notes

    def table(self, depth: int | None = None) -> str:
        """What the command prints with ``--depth``."""
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
        self._profiled.save(os.fspath(folder), replace)
        return Path(folder)

    def __str__(self) -> str:
        return self.table().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return page(self.name, self.metrics, tree_of(self.modules, ("time", "energy")), self.notes)

    def _own_now(self) -> list[_core.OwnMetric]:
        """With all metrics that are defined at present."""
        return own_metrics(self, lambda: json.loads(self._profiled.metrics()))

    @cached_property
    def _json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._profiled.json())
        return content


def profile(
    model: Any,
    x: Any = None,
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]] = (),
    budget: float | str | None = None,
    precision: float | str = 0.02,
    target: Any = None,
    cache: str = "model",
    modules: bool = True,
    baseline: float | str = 2.0,
    threads: int | None = None,
    level: str = "all",
    execution: str = "sequential",
    device: str = "cpu",
    provider_options: Mapping[str, str] | None = None,
    seed: int = 1,
    **torch_arguments: Any,
) -> Profile:
    """Measures time and energy of a model, its modules and its operators.

    ``model`` and ``x`` are as for ``jouletree.inspect``; arrays in ``x`` are what a model file is
    run with. A model file runs in ONNX Runtime (``pip install onnxruntime``), a PyTorch model in
    this process. Arguments are the flags of ``jouletree profile``: ``budget`` is the time for all
    windows together, in seconds or as ``"60s"``; ``threads`` are those that one operator may
    use, 1 unless said; ``precision`` the half-width of the 95 % interval
    that is enough and ``target`` the share of the time that operators must explain, as ``0.02`` or
    ``"2%"``. Ctrl-C stops the measurement and leaves nothing behind.

    A PyTorch model is called as ``model(x)``, ``model(*x)`` for a tuple and ``model(**x)`` for a
    dictionary, in the caller's grad mode, and is left as it was. ``mode="train"`` measures a
    training step: forward, ``loss(output, target)`` (left out where the model returns its loss),
    backward, and the step and ``zero_grad`` of an ``optimizer``. ``kwargs`` are further arguments
    of the model, ``context`` makes what stands around forward and loss (autocast), ``name`` is
    that of the model in tables.

    >>> profile = jouletree.profile("model.onnx", budget="60s")
    >>> print(profile)
    >>> step = jouletree.profile(net, x, mode="train", loss=loss_fn, target=y, optimizer=optimizer)
    >>> step.modules[1].phases["backward"].time
    """
    if torch_arguments.get("mode") == "train":
        # What the loss compares the model's output with; all operators of a step are measured.
        torch_arguments["target"], target = target, None
    arguments = {
        "cache": cache,
        "precision": share_of("precision", precision),
        "budget_s": seconds_of("budget", budget),
        "target": share_of("target", target),
        "baseline_s": seconds_of("baseline", baseline, zero=True),
        "modules": modules,
    }
    if _sources.is_torch(model):
        return _profile_torch(model, x, arguments, threads, torch_arguments)
    if torch_arguments:
        names = ", ".join(torch_arguments)
        raise BadInput(f"{names}: only for PyTorch models, which run in this process")
    _engines.announce()
    with _file_of(model, seed) as path, tempfile.TemporaryDirectory() as scratch:
        settings = input_settings(x, dims, values, lambda: _core.input_names_of_file(path))
        given = [*_data_files(data), *_saved_arrays(x, path, scratch)]
        try:
            profiled = _core.profile_file(
                path,
                **settings.arguments(),
                data=given,
                seed=seed,
                threads=_threads(threads),
                level=level,
                execution=execution,
                device=device,
                provider_options=dict(provider_options or {}),
                arguments=arguments,
                show=shown_progress(),
            )
        except Missing:
            if _engines.onnx_runtime_folder() is None and not _core.has_onnx_runtime():
                raise Missing(
                    "profiling a model file needs ONNX Runtime; install it with: "
                    "pip install onnxruntime"
                ) from None
            raise
    return Profile(profiled)


def load(folder: str | os.PathLike[str]) -> Profile:
    """Reads a profile that ``Profile.save`` or ``jouletree profile -o`` wrote.

    >>> jouletree.load("profiles/resnet-18").ledger.attribution_time
    """
    return Profile(_core.load_profile(os.fspath(folder)))


def _profile_torch(
    model: Any,
    x: Any,
    arguments: dict[str, Any],
    threads: int | None,
    torch_arguments: dict[str, Any],
) -> Profile:
    """The device is the model's."""
    engine = importlib.import_module("jouletree.torch.profiling")
    if threads is not None:
        torch_arguments["threads"] = threads
    profiled: _core.ProfiledModel = engine.profiled(
        model, x, arguments, shown_progress(), **torch_arguments
    )
    return Profile(profiled)


def _threads(given: int | None) -> int:
    if given is None:
        return 1
    if 1 <= given <= 1024:
        return given
    raise BadInput(f"threads is {given}: give a number from 1 to 1024")


@contextmanager
def _file_of(model: Any, seed: int) -> Iterator[str]:
    """The model as a file, which is gone afterwards if it was made for this."""
    if isinstance(model, (str, os.PathLike)) and not _sources.is_zoo_name(model):
        yield os.fspath(model)
        return
    with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
        if isinstance(model, str):
            path = Path(folder) / f"{model}.onnx"
            _core.build_zoo(model, str(path), seed)
        elif isinstance(model, (bytes, bytearray, memoryview)):
            path = Path(folder) / "model.onnx"
            path.write_bytes(bytes(model))
        elif _sources.is_onnx_proto(model):
            path = Path(folder) / "model.onnx"
            path.write_bytes(model.SerializeToString())
        else:
            raise _sources.unknown_model(model)
        yield str(path)


def _data_files(
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]],
) -> list[str]:
    if isinstance(data, Mapping):
        return [f"{name}={os.fspath(file)}" for name, file in data.items()]
    return [os.fspath(one) for one in data]


def _saved_arrays(x: Any, path: str, folder: str) -> Iterator[str]:
    """Arrays and tensors among the inputs, as files that the engine reads."""
    for place, (name, given) in enumerate(
        by_name(x, lambda: _core.input_names_of_file(path)).items()
    ):
        if not hasattr(given, "__array__"):
            continue
        import numpy as np

        file = Path(folder) / f"input_{place}.npy"
        np.save(file, np.asarray(given))
        yield f"{name}={file}"
