"""Metrics by name, and metrics of one's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from jouletree import _core
from jouletree._arguments import checked_call
from jouletree._warnings import warn
from jouletree.errors import BadInput, UnknownMetric
from jouletree.quantity import Quantity

# Words of the catalogue, which `jouletree metrics` shows, and what the library takes for them.
_BETTER = {"lower": "less", "higher": "more", "neither": "neither"}
_OLDER_BETTER = {"less": "lower", "more": "higher"}
# The weakest last: what follows from several numbers is no better than the weakest of them.
_STRENGTH = ("counted", "measured", "measured in place", "estimated", "predicted")

Result = TypeVar("Result")
MetricFunction = TypeVar("MetricFunction", bound=Callable[[Any], Any])


class MetricWarning(UserWarning):
    """A metric of one's own could not be computed; all others are there."""


class Metrics(Mapping[str, Quantity]):
    """Metrics of a model by their names.

    >>> jouletree.inspect("resnet-18").metrics["params"].value
    11689512
    """

    def __init__(self, json: Mapping[str, Mapping[str, Any]]) -> None:
        self._json = json
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Quantity:
        if name not in self._json:
            raise UnknownMetric(f"there is no metric '{name}'; there are: {', '.join(self._json)}")
        self.read.add(name)
        return Quantity.from_json(self._json[name])

    def title(self, name: str) -> str:
        """As tables call it: "Parameters" for ``"params"``."""
        title = self._json[name].get("title")
        if title is not None:
            return str(title)
        words = _core.metric_words(name, None, False)
        return name if words is None else words[0]

    def text(self, name: str) -> str:
        """The value as the terminal shows it: "533 k (532,800)"."""
        json = self._json[name]
        if json.get("text") is not None:
            return str(json["text"])
        quantity = Quantity.from_json(json)
        words = _core.metric_words(name, quantity.value, quantity.lower_bound)
        if words is not None and quantity.low is None and quantity.high is None:
            return words[1]
        return str(replace(quantity, provenance=None, failure=None))

    def __iter__(self) -> Iterator[str]:
        return iter(self._json)

    def __len__(self) -> int:
        return len(self._json)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {Quantity.from_json(self._json[name])}" for name in self)

    def weakest_read(self) -> str:
        """The provenance of what follows from the metrics that were looked at."""
        seen = [Quantity.from_json(self._json[name]).provenance or "counted" for name in self.read]
        return max(seen, key=_STRENGTH.index, default="counted")


class _Seen:
    """A result as a metric sees it: with the built-in metrics, and noting which it reads."""

    def __init__(self, result: object, metrics: Metrics) -> None:
        self._result = result
        self.metrics = metrics

    def __getattr__(self, name: str) -> Any:
        return getattr(self._result, name)


@dataclass(frozen=True)
class _Definition:
    compute: Callable[[Any], Any]
    name: str
    title: str
    unit: str
    description: str
    better: str
    override: bool
    provenance: str | None

    def result(
        self, value: float | None = None, provenance: str = "counted", failure: str = ""
    ) -> _core.OwnMetric:
        return _core.OwnMetric(
            self.name,
            self.title,
            self.unit,
            self.description,
            self.compute.__module__,
            _BETTER[self.better],
            "measured" if provenance == "measured in place" else provenance,
            self.override,
            value,
            failure,
        )

    def same_function_as(self, other: _Definition) -> bool:
        """The cell of a notebook that defines it was run again."""
        mine, theirs = self.compute, other.compute
        return (mine.__module__, mine.__qualname__) == (theirs.__module__, theirs.__qualname__)


_definitions: dict[str, _Definition] = {}


@checked_call
def metric(
    function: None = None,
    /,
    *,
    name: str = "",
    unit: str = "1",
    better: str = "neither",
    title: str | None = None,
    override: bool = False,
    provenance: str | None = None,
) -> Callable[[MetricFunction], MetricFunction]:
    """Adds a metric of one's own to all results that follow.

    The function gets a result (of ``inspect`` or ``profile``) and returns a number, a ``Quantity``,
    or None where the metric cannot be known. ``better`` is which of two values people want:
    ``"lower"``, ``"higher"`` or ``"neither"``. ``override=True`` replaces the built-in metric of
    the same name. Unless ``provenance`` says it, the number is as good as the weakest metric that
    the function looks at. A function that raises makes its own metric unknown, with the reason, and
    leaves all others alone.

    >>> @jouletree.metric(name="latency_per_param", unit="s", better="lower")
    ... def latency_per_param(result):
    ...     time = result.metrics.get("time_s")
    ...     return time and time.value / result.metrics["params"].value
    """

    if function is not None or not name:
        raise BadInput(
            "a metric needs a name: write @jouletree.metric(name='…') above the function"
        )
    better = _OLDER_BETTER.get(better, better)
    if better not in _BETTER:
        raise BadInput(f"better is {better!r}; give 'lower', 'higher' or 'neither'")

    def register(compute: MetricFunction) -> MetricFunction:
        description = (compute.__doc__ or name).strip().partition("\n")[0]
        shown = title or name.replace("_", " ").capitalize()
        one = _Definition(compute, name, shown, unit, description, better, override, provenance)
        one.result(provenance=provenance or "counted").check()
        other = _definitions.get(name)
        if other is not None and not one.same_function_as(other):
            raise BadInput(
                f"{_place(other.compute)} and {_place(compute)} both give a metric '{name}'; "
                f"rename one, or take the first out with jouletree.remove_metric('{name}')"
            )
        _definitions[name] = one
        return compute

    return register


def remove_metric(name: str) -> None:
    """Takes a metric of one's own out again."""
    if _definitions.pop(name, None) is None:
        raise BadInput(f"there is no metric of your own called '{name}'")


def own_metrics(
    result: object, built_in: Callable[[], Mapping[str, Mapping[str, Any]]]
) -> list[_core.OwnMetric]:
    """All metrics of one's own, computed for a result. Warns of those that fail."""
    if not _definitions:
        return []
    known = built_in()
    return [_computed(one, result, known) for one in _definitions.values()]


def _computed(
    one: _Definition, result: object, built_in: Mapping[str, Mapping[str, Any]]
) -> _core.OwnMetric:
    metrics = Metrics(built_in)
    try:
        given = one.compute(_Seen(result, metrics))
        value = given.value if isinstance(given, Quantity) else given
        number = None if value is None else float(value)
    except Exception as error:
        failure = f"it raised {type(error).__name__}: {error}"
        _warn(one, failure)
        return one.result(failure=failure)
    if number is not None and not math.isfinite(number):
        failure = f"it returned {'NaN' if math.isnan(number) else 'infinity'}"
        _warn(one, failure)
        return one.result(failure=failure)
    said = given.provenance if isinstance(given, Quantity) else None
    return one.result(number, one.provenance or said or metrics.weakest_read())


def _warn(one: _Definition, failure: str) -> None:
    warn(f"metric '{one.name}' of {_place(one.compute)} is unknown: {failure}", MetricWarning)


def _place(compute: Callable[..., Any]) -> str:
    return f"{compute.__module__}.{compute.__qualname__}"
