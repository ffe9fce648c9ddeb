"""Parts of a measured model: nodes of its tree, kinds of operators, phases of a training step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jouletree.quantity import Quantity


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
    def reused_from(self) -> str | None:
        """When it was measured (UTC, ISO 8601), if that was for an earlier profile."""
        return self._json.get("reused_from")

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

    @property
    def reused_from(self) -> str | None:
        """When it was measured (UTC, ISO 8601), if that was for an earlier profile."""
        return self._json.get("reused_from")

    def __repr__(self) -> str:
        return f"<{self.count} x {self.type} ({self.name}): {self.time}, {self.energy}>"

    def _quantity(self, key: str, unit: str) -> Quantity:
        value = self._json.get(key)
        return Quantity(None, unit) if value is None else Quantity.from_json(value)
