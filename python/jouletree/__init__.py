"""Where the time and the energy of a deep-learning model go, operator by operator."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from jouletree import _core
from jouletree.errors import BadInput, Error, Failed, Missing

if TYPE_CHECKING:
    from jouletree._measured_data import PredictionWarning
    from jouletree._options import Options, options
    from jouletree.comparing import Comparison, compare
    from jouletree.crossvalidation import CrossValidation, crossvalidate
    from jouletree.database import Database, DatabaseWarning, StoredModel
    from jouletree.gating import GateCheck, GateResult, gate
    from jouletree.inspection import Inspection, inspect, zoo
    from jouletree.measuring import Measurement, measure
    from jouletree.metrics import MetricWarning, metric, remove_metric
    from jouletree.prediction import Prediction, Predictor, predict, train
    from jouletree.profiles import Profile, load
    from jouletree.profiling import profile
    from jouletree.quantity import Quantity
    from jouletree.reporting import ReportWarning, report
    from jouletree.scoring import Score, score
    from jouletree.sweeping import Study, sweep

__version__ = _core.__version__

# Which module holds a public name. It is imported when the name is first used, so that importing
# the package costs little.
_HOME = {
    "Comparison": "comparing",
    "CrossValidation": "crossvalidation",
    "Database": "database",
    "DatabaseWarning": "database",
    "GateCheck": "gating",
    "GateResult": "gating",
    "Inspection": "inspection",
    "Measurement": "measuring",
    "MetricWarning": "metrics",
    "Options": "_options",
    "Prediction": "prediction",
    "PredictionWarning": "_measured_data",
    "Predictor": "prediction",
    "Profile": "profiles",
    "Quantity": "quantity",
    "ReportWarning": "reporting",
    "Score": "scoring",
    "StoredModel": "database",
    "Study": "sweeping",
    "compare": "comparing",
    "crossvalidate": "crossvalidation",
    "gate": "gating",
    "inspect": "inspection",
    "load": "profiles",
    "measure": "measuring",
    "metric": "metrics",
    "options": "_options",
    "predict": "prediction",
    "profile": "profiling",
    "remove_metric": "metrics",
    "report": "reporting",
    "score": "scoring",
    "sweep": "sweeping",
    "train": "prediction",
    "zoo": "inspection",
}

__all__ = [
    "BadInput",
    "Comparison",
    "CrossValidation",
    "Database",
    "DatabaseWarning",
    "Error",
    "Failed",
    "GateCheck",
    "GateResult",
    "Inspection",
    "Measurement",
    "MetricWarning",
    "Missing",
    "Options",
    "Prediction",
    "PredictionWarning",
    "Predictor",
    "Profile",
    "Quantity",
    "ReportWarning",
    "Score",
    "StoredModel",
    "Study",
    "compare",
    "crossvalidate",
    "gate",
    "inspect",
    "load",
    "measure",
    "metric",
    "options",
    "predict",
    "profile",
    "remove_metric",
    "report",
    "score",
    "sweep",
    "train",
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
