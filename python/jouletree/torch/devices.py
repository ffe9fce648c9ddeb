"""Devices that do their work later than they are called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable

import torch

from jouletree.errors import BadInput

# Their work is done when a call returns, or there is none.
_DONE_AT_ONCE = ("cpu", "meta")


def working_later(tensors: Iterable[torch.Tensor]) -> set[torch.device]:
    """The devices of the tensors that must be waited for."""
    return {tensor.device for tensor in tensors if tensor.device.type not in _DONE_AT_ONCE}


def waiting_for(devices: Iterable[torch.device]) -> Callable[[], None]:
    """A function that returns when these devices have done all their work. A device that cannot be
    waited for cannot be timed: that is an error, and not a short time.
    """
    waits = [_wait_of(device) for device in sorted(devices, key=str)]

    def wait() -> None:
        for wait_for_one in waits:
            wait_for_one()

    return wait


def _wait_of(device: torch.device) -> Callable[[], None]:
    wait = getattr(getattr(torch, device.type, None), "synchronize", None)
    if wait is None:
        raise BadInput(
            f"work on device '{device}' cannot be timed: PyTorch {torch.__version__} has no "
            f"torch.{device.type}.synchronize to wait for it"
        )
    # Where there can be only one device of a kind, as on a Mac, it is not asked for.
    takes_device = bool(inspect.signature(wait).parameters)
    return functools.partial(wait, device) if takes_device else wait
