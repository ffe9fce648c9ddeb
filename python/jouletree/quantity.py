"""A number that says how it was obtained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, SupportsFloat

from jouletree import _core

# Up to this ratio of its sides, an interval is shown as ± half of its width.
_EVEN = 1.5


class _Number:
    """Arithmetic and order of what has a float; results are plain numbers."""

    __slots__ = ()

    def __float__(self) -> float:
        raise NotImplementedError

    def __add__(self, other: SupportsFloat) -> float:
        return float(self) + float(other)

    __radd__ = __add__

    def __sub__(self, other: SupportsFloat) -> float:
        return float(self) - float(other)

    def __rsub__(self, other: SupportsFloat) -> float:
        return float(other) - float(self)

    def __mul__(self, other: SupportsFloat) -> float:
        return float(self) * float(other)

    __rmul__ = __mul__

    def __truediv__(self, other: SupportsFloat) -> float:
        return float(self) / float(other)

    def __rtruediv__(self, other: SupportsFloat) -> float:
        return float(other) / float(self)

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __int__(self) -> int:
        return int(float(self))

    def __lt__(self, other: SupportsFloat) -> bool:
        return float(self) < float(other)

    def __le__(self, other: SupportsFloat) -> bool:
        return float(self) <= float(other)

    def __gt__(self, other: SupportsFloat) -> bool:
        return float(self) > float(other)

    def __ge__(self, other: SupportsFloat) -> bool:
        return float(self) >= float(other)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


@dataclass(frozen=True, slots=True)
class Quantity(_Number):
    """A number with its unit, the bounds that the true one lies in, and how it was obtained.

    It can be computed with, compared and formatted as a number: ``f"{energy:.3f}"``, ``energy /
    batches``; the result is a plain one. Two quantities are equal where all that they say is.
    ``value`` is None where the number is unknown, never 0. ``low`` and ``high`` are None where
    there is no interval. ``provenance`` is ``"counted"``, ``"measured"``, ``"measured in place"``,
    ``"estimated"`` or ``"predicted"``; None where the number is unknown.

    >>> quantity = jouletree.inspect("resnet-18").metrics["macs"]
    >>> quantity.value, quantity.unit, quantity.provenance
    (1814073344, '1', 'counted')
    """

    value: float | None
    unit: str
    low: float | None = None
    high: float | None = None
    provenance: str | None = None
    lower_bound: bool = False
    """A part is unknown: the true value is at least this."""
    failure: str | None = None
    """Why a metric of one's own has no value."""

    def __str__(self) -> str:
        text = self._text()
        if self.lower_bound and self.value is not None:
            text = f"at least {text}"
        reason = self.failure or self.provenance
        return f"{text} ({reason})" if reason else text

    def _text(self) -> str:
        """ "1.23 ms ± 0.8 %", or "10.5 mJ, 4.79 mJ to 183 mJ" where ± would not be true."""

        def shown(number: float | None) -> str:
            return _core.quantity_text(number, self.unit, None, None)

        if _is_lopsided(self.value, self.low, self.high):
            return f"{shown(self.value)}, {shown(self.low)} to {shown(self.high)}"
        return _core.quantity_text(self.value, self.unit, self.low, self.high)

    def __float__(self) -> float:
        if self.value is None:
            raise TypeError("the quantity is unknown; look at .value, which is None")
        return float(self.value)

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Quantity:
        """The quantity that JSON of the library tells of."""
        return cls(
            json["value"],
            json["unit"],
            json.get("low"),
            json.get("high"),
            json["provenance"] if json["value"] is not None else None,
            bool(json.get("lower_bound", False)),
            json.get("error"),
        )


def _is_lopsided(value: float | None, low: float | None, high: float | None) -> bool:
    """Whether one side of the interval is much wider than the other."""
    if value is None or low is None or high is None:
        return False
    below, above = value - low, high - value
    return max(below, above) > _EVEN * min(below, above)


UNKNOWN = Quantity(None, "1")
