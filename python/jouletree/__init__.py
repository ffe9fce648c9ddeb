"""Where the time and the energy of a deep-learning model go, operator by operator."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from jouletree import _core
from jouletree.errors import BadInput, Error, Failed, Missing

if TYPE_CHECKING:
    from jouletree.inspection import Inspection, inspect, zoo
    from jouletree.measuring import Measurement, measure
    from jouletree.metrics import MetricWarning, metric, remove_metric
    from jouletree.profiling import Profile, load, profile
    from jouletree.quantity import Quantity

__version__ = _core.__version__

# Which module holds a public name. It is imported when the name is first used, so that importing
# the package costs little.
_HOME = {
    "Inspection": "inspection",
    "Measurement": "measuring",
    "MetricWarning": "metrics",
    "Profile": "profiling",
    "Quantity": "quantity",
    "inspect": "inspection",
    "load": "profiling",
    "measure": "measuring",
    "metric": "metrics",
    "profile": "profiling",
    "remove_metric": "metrics",
    "zoo": "inspection",
}

__all__ = [
    "BadInput",
    "Error",
    "Failed",
    "Inspection",
    "Measurement",
    "MetricWarning",
    "Missing",
    "Profile",
    "Quantity",
    "inspect",
    "load",
    "measure",
    "metric",
    "profile",
    "remove_metric",
    "zoo",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'jouletree' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"jouletree.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
