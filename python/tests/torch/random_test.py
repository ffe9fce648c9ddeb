"""Random numbers of Python and NumPy are as if nothing had been counted."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch import nn

import jouletree as jt
from jouletree.torch.live import LiveState

x = torch.zeros(2, 8)


class Draws(nn.Module):
    def forward(self, given: Any) -> Any:
        import numpy

        numpy.random.seed(3)
        numpy.random.randn()
        random.random()
        return given + 1


def test_random_numbers_of_numpy_are_put_back() -> None:
    numpy = pytest.importorskip("numpy")
    numpy.random.seed(7)
    numpy.random.randn()  # The next one waits already.
    before = numpy.random.get_state()

    jt.inspect(Draws(), x)

    after = numpy.random.get_state()
    assert (before[1] == after[1]).all()
    assert before[2:] == after[2:]


def test_random_numbers_that_nobody_loaded_stay_unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.delitem(sys.modules, "numpy.random", raising=False)

    LiveState(nn.Linear(2, 2)).restore()

    assert "numpy.random" not in sys.modules
