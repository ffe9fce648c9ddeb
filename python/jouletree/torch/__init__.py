"""Live PyTorch models: recorded, counted and timed."""

from __future__ import annotations

from jouletree.torch.recording import LiveCall, RecordedCall, Recorder, Recording
from jouletree.torch.runs import TrainingError, TrainingStep, record, record_training

__all__ = [
    "LiveCall",
    "RecordedCall",
    "Recorder",
    "Recording",
    "TrainingError",
    "TrainingStep",
    "record",
    "record_training",
]
