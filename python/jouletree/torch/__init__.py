"""Live PyTorch models: counted, timed and recorded.

>>> macs, params = jouletree.torch.count(model, x)
>>> with jouletree.torch.Counter() as counter: model(x)
>>> with jouletree.torch.LayerTimer(model) as timer: model(x)
"""

from __future__ import annotations

from jouletree.torch._checked import TORCH_VERSION
from jouletree.torch.counting import Counter, count
from jouletree.torch.inspection import inspect_training
from jouletree.torch.recording import LiveCall, RecordedCall, Recorder, Recording
from jouletree.torch.runs import TrainingError, TrainingStep, record, record_training
from jouletree.torch.timing import LayerTime, LayerTimer

__all__ = [
    "TORCH_VERSION",
    "Counter",
    "LayerTime",
    "LayerTimer",
    "LiveCall",
    "RecordedCall",
    "Recorder",
    "Recording",
    "TrainingError",
    "TrainingStep",
    "count",
    "inspect_training",
    "record",
    "record_training",
]
