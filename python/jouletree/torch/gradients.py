"""Models that ask whether gradients are on, and run other operators then.

torch.nn.TransformerEncoderLayer, for example, is one fused operator without them.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

import torch

from jouletree.torch.recording import Recording

# What autograd keeps for the backward phase is shown once more, and nothing is done.
_NO_WORK = ("aten::detach", "aten::alias")
_NO_MODELS = ("torch", "jouletree")


@contextlib.contextmanager
def heard_questions() -> Iterator[list[str]]:
    """The names of the Python modules that ask inside, but for torch's own machinery."""
    ask, thread = torch.is_grad_enabled, threading.get_ident()
    askers: list[str] = []

    def answered() -> bool:
        name = str(sys._getframe(1).f_globals.get("__name__", ""))
        is_model = name.startswith("torch.nn.") or name.partition(".")[0] not in _NO_MODELS
        if is_model and threading.get_ident() == thread:
            askers.append(name)
        return ask()

    torch.is_grad_enabled = answered
    try:
        yield askers
    finally:
        torch.is_grad_enabled = ask


def has_same_work(one: Recording, other: Recording) -> bool:
    """Whether two runs called the same operators in the same order."""
    return _work(one) == _work(other)


def _work(recording: Recording) -> list[str]:
    return [call.name for call in recording.calls if call.name not in _NO_WORK]
