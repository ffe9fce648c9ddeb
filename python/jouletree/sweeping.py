"""Models over sizes of their inputs: how time and energy grow."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jouletree import _arguments, _core, _engines, _sources
from jouletree._command import environment
from jouletree._frame import Framed
from jouletree._html import page, text_block
from jouletree._interrupts import held
from jouletree._turns import turn
from jouletree._units import seconds_of
from jouletree.errors import BadInput, Error, Failed, Missing
from jouletree.progress import shown_progress
from jouletree.reporting import Subject

if TYPE_CHECKING:
    import pandas as pd

_LARGEST_SEED = 2**64 - 1


class Study(Framed):
    """A study, just measured or read from its folder. Prints as ``jouletree sweep`` prints.

    >>> study = jouletree.Study("studies/bert")
    >>> study.models[0]["series"][0]["laws"]["energy_j"]["exponent"]
    >>> study.to_pandas().plot("size", "energy_j")
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._text, self.json = _core.compiled_study(os.fspath(folder))

    @cached_property
    def content(self) -> dict[str, Any]:
        """What stands in sweep.json."""
        content: dict[str, Any] = json.loads(self.json)
        return content

    @property
    def models(self) -> list[dict[str, Any]]:
        """Their formats with quantities, series with scaling laws and breaks, correlations."""
        models: list[dict[str, Any]] = self.content["models"]
        return models

    @property
    def complete(self) -> bool:
        """Whether all runs are done."""
        return bool(self.content["complete"])

    def to_pandas(self) -> pd.DataFrame:
        """One row per input format: medians and quartiles, as in results.csv."""
        _sources.need("pandas", "pandas", "a table of a study")
        import pandas as pd

        return pd.read_csv(self.folder / "results.csv")

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def _small(self) -> str:
        return page("study", text_block(str(self)))

    def _subjects(self) -> list[Subject]:
        return [os.fspath(self.folder)]

    def __repr__(self) -> str:
        return f"<jouletree.Study {os.fspath(self.folder)!r}>"


@_arguments.checked_call
def sweep(
    model: Any,
    inputs: Mapping[float, Any] | None = None,
    *,
    folder: str | os.PathLike[str],
    vary: Mapping[str, str] | None = None,
    dims: Mapping[str, int | str | Iterable[int]] | None = None,
    batch: Iterable[int] | None = None,
    threads: Any = None,
    runs: int = 10,
    seconds: float | str = 20.0,
    inferences: int | None = None,
    cool_down: float | str = 1.0,
    baseline: float | str = 2.0,
    warm_up: float | str = 1.0,
    budget: float | str | None = None,
    seed: int = 1,
    size: str = "size",
    **torch_arguments: Any,
) -> Study:
    """Measures a model over sizes of its inputs, and keeps the study in a folder.

    A model file, or several, or names of the zoo: ``vary`` has shapes with sizes in braces,
    ``{"input": "1x3x{32,64}x{=}"}``; ``dims`` has sizes of symbolic dimensions, ``{"sequence":
    "50:500:50", "batch": 1}``; ``batch`` and ``threads`` may be lists.

    A live PyTorch model: ``inputs`` has one input for each size, as for ``jouletree.profile``, and
    ``size`` is what the sizes are called. ``mode="train"`` measures training steps, with ``loss``,
    ``optimizer``, and a ``target`` for each size.

    Each size has so many ``runs``, of ``seconds`` or of ``inferences``, in an order drawn anew for
    every round. Ctrl-C loses the run that goes on; the same call goes on with the rest.

    >>> study = jouletree.sweep("bert-l2-h128", dims={"sequence": "50:500:50"}, folder="bert")
    >>> study = jouletree.sweep(net, {n: torch.rand(1, n, 64) for n in (50, 100)}, folder="net")
    >>> print(study)
    """
    _arguments.refuse_unknown(sweep, torch_arguments)
    torch_arguments = _arguments.with_mode(torch_arguments)
    arguments = {
        "runs": _arguments.whole_number("runs", runs, 1, 10**6),
        "seconds": seconds_of("seconds", seconds),
        "inferences": inferences
        if inferences is None
        else _arguments.whole_number("inferences", inferences, 1, 10**12),
        "cool_down_s": seconds_of("cool_down", cool_down, zero=True),
        "baseline_s": seconds_of("baseline", baseline, zero=True),
        "warm_up_s": seconds_of("warm_up", warm_up, zero=True),
        "budget_s": seconds_of("budget", budget),
        "seed": _arguments.whole_number("seed", seed, 0, _LARGEST_SEED),
        "folder": os.fspath(folder),
    }
    if _sources.is_torch(model):
        if vary or dims or batch is not None:
            raise BadInput("vary, dims and batch are for model files; give inputs for each size")
        _sweep_live(model, inputs, arguments, {**torch_arguments, "threads": threads}, size)
        return Study(folder)
    if inputs is not None or torch_arguments:
        names = ", ".join((["inputs"] if inputs is not None else []) + list(torch_arguments))
        raise BadInput(f"{names}: only for live PyTorch models")
    words = _words(model, arguments, vary, dims, batch, threads)
    _run(words)
    return Study(folder)


def _sweep_live(
    model: Any,
    inputs: Mapping[float, Any] | None,
    arguments: dict[str, Any],
    torch_arguments: dict[str, Any],
    size: str,
) -> None:
    if not isinstance(inputs, Mapping) or not inputs:
        raise BadInput("inputs: give one for each size, such as {50: x50, 100: x100}")
    for one in inputs:
        if isinstance(one, bool) or not isinstance(one, (int, float)) or one <= 0:
            raise BadInput(f"inputs: a size is a number above 0, not {one!r}")
    threads = torch_arguments.pop("threads")
    threads = 1 if threads is None else _arguments.whole_number("threads", threads, 1, 1024)
    kept = ("runs", "seconds", "inferences", "cool_down_s", "baseline_s", "warm_up_s", "seed")
    settings = {name: arguments[name] for name in kept}
    settings |= {"mode": torch_arguments.get("mode", "inference"), "threads": threads}
    arguments = {
        **arguments,
        "size_name": size,
        "interval_s": 0.5,
        "settings": json.dumps(settings),
    }
    show = shown_progress()
    with turn(show), held():
        engine = importlib.import_module("jouletree.torch.sweeping")
        engine.swept(model, inputs, arguments, show, threads=threads, **torch_arguments)


def _words(
    model: Any,
    arguments: Mapping[str, Any],
    vary: Mapping[str, str] | None,
    dims: Mapping[str, int | str | Iterable[int]] | None,
    batch: Iterable[int] | None,
    threads: Any,
) -> list[str]:
    """The command that does the same."""
    models = [model] if isinstance(model, (str, os.PathLike)) else list(model)
    words = [os.fspath(one) for one in models]
    for name, pattern in (vary or {}).items():
        words.append(f"--vary={name}={pattern}")
    for name, sizes in (dims or {}).items():
        words.append(f"--dim={name}={_sizes(sizes)}")
    if batch is not None:
        words.append(f"--batch={_sizes(batch)}")
    if threads is not None:
        words.append(f"--threads={_sizes(threads)}")
    if arguments["inferences"] is None:
        words.append(f"--seconds={arguments['seconds']}")
    else:
        words.append(f"--inferences={arguments['inferences']}")
    for flag in ("cool_down", "baseline", "warm_up"):
        words.append(f"--{flag.replace('_', '-')}={arguments[flag + '_s']}s")
    if arguments["budget_s"] is not None:
        words.append(f"--budget={arguments['budget_s']}s")
    return [
        *words,
        f"--runs={arguments['runs']}",
        f"--seed={arguments['seed']}",
        f"--output={arguments['folder']}",
    ]


def _sizes(given: int | str | Iterable[int]) -> str:
    if isinstance(given, (int, str)):
        return str(given)
    return ",".join(str(one) for one in given)


def _run(words: list[str]) -> None:
    """The program measures, in a process of its own."""
    done = subprocess.run(
        [_engines.PROGRAM, "sweep", *words],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return
    told = [line.removeprefix("jouletree: ") for line in done.stderr.splitlines() if line]
    kinds: dict[int, type[Error]] = {2: BadInput, 3: Missing}
    # Exit code 1: some sizes failed, and the study tells which.
    if done.returncode == 1:
        return
    raise kinds.get(done.returncode, Failed)(told[-1] if told else "the program ended")
