"""Whether a model became slower or hungrier than before, and not by chance."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from jouletree import _arguments, _core, _engines, _sources
from jouletree._files import lasting_name, model_file, naming_engine
from jouletree._html import columns_table, number_text, page
from jouletree._inputs import input_settings
from jouletree._interrupts import held, interruptible
from jouletree._names import called
from jouletree._turns import turn
from jouletree._units import seconds_of
from jouletree.database import Database, StoredModel
from jouletree.errors import BadInput, Failed
from jouletree.profiles import Profile
from jouletree.profiling import LARGEST_SEED, data_files, saved_arrays
from jouletree.progress import shown_progress
from jouletree.quantity import Quantity

# Shares that are given in per cent are no sums of binary fractions.
_DIGITS = 12


class GateCheck:
    """A metric against its limit.

    >>> check.metric, check.limit, check.change.value, check.change.low, check.p, check.verdict
    ('time_s', 0.05, 0.15, 0.116, 0.0003, 'failed')
    """

    __slots__ = ("_json",)

    def __init__(self, json: Mapping[str, Any]) -> None:
        self._json = json

    @property
    def metric(self) -> str:
        """Its name in the catalogue: ``"time_s"``, ``"macs"``."""
        return str(self._json["metric"])

    @property
    def title(self) -> str:
        """The same for people."""
        return str(self._json["title"])

    @property
    def limit(self) -> float:
        """By what share it may grow: 0.05 is +5 %."""
        return round(float(self._json["limit"]) - 1, _DIGITS)

    @property
    def baseline(self) -> Quantity:
        """What it was before."""
        return self._quantity("baseline")

    @property
    def now(self) -> Quantity:
        """What it is in the subject."""
        return self._quantity("now")

    @property
    def change(self) -> Quantity:
        """By what share it grew, with the 95 % interval of what was measured; below 0 where it
        shrank."""
        ratios = (self._json[name] for name in ("ratio", "low", "high"))
        value, low, high = (None if one is None else round(one - 1, _DIGITS) for one in ratios)
        provenance = self._json["provenance"] if value is not None else None
        return Quantity(value, "1", low, high, provenance)

    @property
    def p(self) -> float | None:
        """How probable it is that noise alone makes such a difference, corrected for all limits.
        None for what was counted, and where nothing can be told."""
        value: float | None = self._json["p"]
        return value

    @property
    def significant(self) -> bool | None:
        """Whether it differs by more than the noise; None where that cannot be told."""
        value: bool | None = self._json["significant"]
        return value

    @property
    def verdict(self) -> str:
        """``"passed"``, ``"failed"`` or ``"not told"``."""
        return str(self._json["verdict"])

    @property
    def why(self) -> str:
        """The reason for the verdict, in a few words."""
        return _core.python_words(self._json["why"] or "")

    def __repr__(self) -> str:
        return f"<{self.title}: {self.verdict}, {self.why}>"

    def _quantity(self, name: str) -> Quantity:
        value = self._json[name]
        provenance = None if value is None else self._json["provenance"]
        return Quantity(value, self._json["unit"], provenance=provenance)


class GateResult:
    """What came of ``jouletree.gate``. Prints as ``jouletree gate`` prints.

    >>> result = jouletree.gate("profiles/new", "profiles/main", max_time="+5%")
    >>> result.passed, result.summary
    (False, 'Failed: Time grew by 15.0 % (limit +5 %).')
    """

    def __init__(self, table: str, content: str, markdown: str) -> None:
        self._texts = table, content, markdown

    @property
    def passed(self) -> bool:
        """Whether no metric grew by its limit and by more than the noise. What cannot be told from
        noise passes, and its check says so."""
        return not self._json["failed"]

    @cached_property
    def checks(self) -> list[GateCheck]:
        """One for each limit."""
        return [GateCheck(check) for check in self._json["checks"]]

    @property
    def summary(self) -> str:
        """All in one sentence."""
        return str(self._json["summary"])

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Modules and types of operators that grew by more than the noise, the largest first."""
        return list(self._json["differences"])

    @property
    def history(self) -> dict[str, Any] | None:
        """Lasting changes in what a database knows of the model; None without a database."""
        history: dict[str, Any] | None = self._json["history"]
        return history

    @property
    def notes(self) -> list[str]:
        """What one must know about the result, one sentence each."""
        return [_core.python_words(note) for note in self._json["notes"]]

    def require(self) -> GateResult:
        """Raises ``jouletree.Failed`` with the summary where the gate did not pass; else returns
        the result.

        >>> jouletree.gate(profile, "profiles/main", max_energy="+5%").require()
        """
        if not self.passed:
            raise Failed(self.summary)
        return self

    def markdown(self) -> str:
        """For a pull request, as the command prints it with ``--format markdown``."""
        return self._texts[2]

    def to_json(self) -> str:
        """What the command prints with ``--format json``."""
        return self._texts[1]

    def __str__(self) -> str:
        return self._texts[0].rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = ["", "baseline", "now", "change", "limit", "verdict", "why"]
        rows = (
            [
                check.title,
                number_text(check.baseline),
                number_text(check.now),
                _change_text(check.change),
                f"{100 * check.limit:+.4g} %",
                check.verdict,
                check.why,
            ]
            for check in self.checks
        )
        table = columns_table(head, rows, words=2) if self.checks else ""
        compared = f"{self._json['now']} against {self._json['baseline']}: {self._json['how']}"
        return page(self.summary, table, "", [compared, *self.notes])

    @cached_property
    def _json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._texts[1])
        return content


@_arguments.checked_call
def gate(
    subject: Any,
    baseline: Any = None,
    *,
    against: Any = None,
    max_energy: float | str | None = None,
    max_time: float | str | None = None,
    max_macs: float | str | None = None,
    max_flops: float | str | None = None,
    max_params: float | str | None = None,
    max_bytes: float | str | None = None,
    max_memory: float | str | None = None,
    max_size: float | str | None = None,
    allow_other_machine: bool = False,
    update: bool = False,
    time: float | str = 30.0,
    x: Any = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]] = (),
    threads: int | None = None,
    level: str = "all",
    execution: str = "sequential",
    device: str = "cpu",
    provider_options: Mapping[str, str] | None = None,
    seed: int = 1,
) -> GateResult:
    """Tells whether a model became slower or hungrier than before, and not by chance.

    With ``baseline``, ``subject`` and ``baseline`` are profiles: what ``jouletree.profile`` or
    ``jouletree.load`` returned, the folder of one, or a model of a database
    (``"lab.sqlite#resnet-18"``, ``database["resnet-18"]``), whose history is then searched for
    lasting changes. ``update=True`` makes the profile the baseline if nothing fails, also where
    there is none yet. ``allow_other_machine`` lets counts be compared with a baseline of another
    machine or engine.

    With ``against``, both are models (files, bytes, an ``onnx.ModelProto``, names of the zoo), and
    run by turns for ``time``, which tells smaller differences, also on a busy machine. ``x``,
    ``dims`` and the other arguments are as for ``jouletree.profile``, for both models.

    Limits are the flags of ``jouletree gate``: ``max_time="+5%"`` fails where time grew by 5 % or
    more, and by more than the noise; ``"+0%"`` allows no growth at all. A number is a share: 0.05.

    >>> result = jouletree.gate(profile, "profiles/main", max_energy="+5%", max_time="+5%")
    >>> result.checks[0].change.value, result.checks[0].p
    >>> result.require()
    >>> jouletree.gate("new.onnx", against="old.onnx", max_time="+5%", dims={"batch": 1}).passed
    """
    given: dict[str, float | str | None] = {
        "max_energy": max_energy,
        "max_time": max_time,
        "max_macs": max_macs,
        "max_flops": max_flops,
        "max_params": max_params,
        "max_bytes": max_bytes,
        "max_memory": max_memory,
        "max_size": max_size,
    }
    limits = {name: limit for name, limit in given.items() if limit is not None}
    if (baseline is None) == (against is None):
        raise BadInput(
            "gate needs something to compare with: baseline, a profile, its folder or a model of a "
            "database, for a profile; or against, a model, for a model; one of them"
        )
    if not limits and not update:
        raise BadInput("gate needs a limit, such as max_time='+5%' or max_macs='+0%'")
    _arguments.truth("update", update)
    _arguments.truth("allow_other_machine", allow_other_machine)
    if against is None:
        _refuse_model_arguments(x=x, dims=dims, values=values, data=data)
        now, before = _side("subject", subject), _side("baseline", baseline)
        if update and not isinstance(before, str):
            raise BadInput("update: give the folder of the baseline, where the profile is kept")
        if not isinstance(now, str) and not isinstance(before, str) and now[1] == before[1]:
            now, before = (now[0], f"{now[1]} (now)"), (before[0], f"{before[1]} (baseline)")
        return GateResult(*_core.gate_profiles(now, before, limits, allow_other_machine, update))
    if update:
        raise BadInput(
            "update is for baselines of profiles; against has none: leave one of them out"
        )
    run = {
        "seed": _arguments.whole_number("seed", seed, 0, LARGEST_SEED),
        "threads": 1 if threads is None else _arguments.whole_number("threads", threads, 1, 1024),
        "level": level,
        "execution": execution,
        "device": device,
        "provider_options": _arguments.by_names(
            "provider_options", provider_options, "{'NAME': 'VALUE'}"
        ),
    }
    seconds = seconds_of("time", time)
    if seconds is None:
        raise BadInput("time is None: give a time above 0, such as 60 or '60s'")
    return _gate_models(subject, against, limits, seconds, x, dims, values, data, run)


def _gate_models(
    model: Any,
    against: Any,
    limits: Mapping[str, float | str],
    seconds: float,
    x: Any,
    dims: Mapping[str, int] | None,
    values: Mapping[str, Any] | None,
    data: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]],
    run: dict[str, Any],
) -> GateResult:
    for one in (model, against):
        if isinstance(one, (Profile, StoredModel, Database)):
            raise BadInput("against is for two models; give a profile its baseline")
        if _sources.is_torch(one):
            raise BadInput(
                "a live PyTorch model cannot run by turns: save both models (torch.onnx.export, "
                "torch.export.save) and give the files, or profile them and give baseline"
            )
    model, against = _sources.onnx_of_keras(model, x), _sources.onnx_of_keras(against, x)
    x = getattr(model, "x", x)
    _engines.announce()
    # Elsewhere it is whichever Python has PyTorch.
    here = all(_sources.is_torch_file(one) for one in (model, against))
    run = {**run, "python": sys.executable if here else ""}
    show = shown_progress()
    with (
        turn(show),
        held(),
        model_file(model, run["seed"]) as path,
        model_file(against, run["seed"]) as other,
        tempfile.TemporaryDirectory() as scratch,
    ):
        inputs = input_settings(x, dims, values, lambda: _core.input_names_of_file(path))
        arrays = saved_arrays(x, path, scratch)
        given = [*data_files(data), *(f"{name}={file}" for name, file in arrays.items())]
        named = called({file: f"x[{name!r}]" for name, file in arrays.items()})
        with named, naming_engine("running"):
            texts = interruptible(
                partial(
                    _core.gate_models,
                    _named(model, path),
                    _named(against, other),
                    limits,
                    seconds,
                    run={**run, "data": given},
                    show=show,
                    **inputs.arguments(),
                )
            )
    return GateResult(*texts)


def _named(model: Any, path: str) -> tuple[str, str, str]:
    """The file, what records call it where it does not last, and what the user calls it."""
    lasting = lasting_name(model) or ""
    return path, lasting, os.fspath(model) if isinstance(model, (str, os.PathLike)) else lasting


def _side(name: str, given: Any) -> str | tuple[_core.ProfiledModel | _core.KeptModel, str]:
    """A profile with its label, or the place of one."""
    if isinstance(given, Profile):
        return given._profiled, given._profiled.folder or given.name
    if isinstance(given, StoredModel):
        return given._kept, given.name
    if isinstance(given, Database):
        return given._full
    if not isinstance(given, (str, os.PathLike)):
        raise BadInput(
            f"{name} is {_arguments.kind_of(given)}: give a profile, the folder of one, or a model "
            "of a database, such as 'lab.sqlite#resnet-18'; two models are compared with against"
        )
    _engines.announce()
    return _arguments.path_of(name, given, "the folder of a profile")


def _refuse_model_arguments(**given: Any) -> None:
    for name, value in given.items():
        if value is not None and value != ():
            raise BadInput(f"{name} is for against, where both models run; profiles have run")


def _per_cent(share: float) -> str:
    return f"{100 * share:+.1f} %"


def _change_text(change: Quantity) -> str:
    if change.value is None:
        return ""
    if change.low is None or change.high is None:
        return _per_cent(change.value)
    return f"{_per_cent(change.value)} ({_per_cent(change.low)} to {_per_cent(change.high)})"
