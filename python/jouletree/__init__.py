"""Where the time and the energy of a deep-learning model go, operator by operator."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from jouletree import _core
from jouletree.errors import BadInput, Error, Failed, Missing

if TYPE_CHECKING:
    from jouletree.inspection import Inspection, inspect

__version__ = _core.__version__

# Which module holds a public name. It is imported when the name is first used, so that importing
# the package costs little.
_HOME = {
    "Inspection": "inspection",
    "inspect": "inspection",
}

__all__ = [
    "BadInput",
    "Error",
    "Failed",
    "Inspection",
    "Missing",
    "inspect",
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
