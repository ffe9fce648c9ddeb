"""A number that says how it was obtained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jouletree import _core


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, the bounds that the true one lies in, and how it was obtained.

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
        text = _core.quantity_text(self.value, self.unit, self.low, self.high)
        if self.lower_bound and self.value is not None:
            text = f"at least {text}"
        reason = self.failure or self.provenance
        return f"{text} ({reason})" if reason else text

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


UNKNOWN = Quantity(None, "1")
