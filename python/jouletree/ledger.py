"""What operators explain of a measured model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jouletree.quantity import Quantity


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
    def raw_operators_time(self) -> Quantity:
        """The sum over the operators as each was measured alone."""
        return Quantity.from_json(self._json["time_s"]["raw_sum"])

    @property
    def raw_operators_energy(self) -> Quantity:
        return Quantity.from_json(self._json["energy_j"]["raw_sum"])

    @property
    def caller(self) -> str | None:
        """What runs beside the operators of a live model: ``"Python and dispatch"``."""
        return self._json.get("caller") or None

    @property
    def caller_time(self) -> Quantity:
        """Of what runs beside the operators, which is counted as explained; unknown where nothing
        was told apart."""
        return self._of_caller("time_s", "s")

    @property
    def caller_energy(self) -> Quantity:
        return self._of_caller("energy_j", "J")

    @property
    def whole_time(self) -> Quantity:
        """Of the model, which all of this adds up to."""
        return self._number("time_s", "whole", "s")

    @property
    def whole_energy(self) -> Quantity:
        return self._number("energy_j", "whole", "J")

    @property
    def remainder_time(self) -> Quantity:
        """The whole less what operators and caller explain."""
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

    def _of_caller(self, of: str, unit: str) -> Quantity:
        value = self._json[of].get("caller")
        return Quantity(None, unit) if value is None else Quantity.from_json(value)

    def _share(self, of: str) -> Quantity:
        is_bound = bool(self._json[of]["adjusted_sum"]["lower_bound"])
        return replace(self._number(of, "attribution", "1"), lower_bound=is_bound)

    def _number(self, of: str, key: str, unit: str) -> Quantity:
        value = self._json[of][key]
        provenance = None if value is None else self._json[of]["provenance"]
        return Quantity(value, unit, provenance=provenance)
