"""What a user runs: the model once, or one step of its training."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from jouletree.torch.compiled import is_compiled
from jouletree.torch.exported import module_of
from jouletree.torch.gradients import has_same_work
from jouletree.torch.live import LiveState, without_compiler
from jouletree.torch.objects import ObjectState
from jouletree.torch.recording import Recorder, Recording
from jouletree.torch.runs import TrainingStep, record_call, record_step
from jouletree.torch.scripted import has_scripted

#: Steps after which parameters go back to where they were: training on one batch for thousands of
#: steps ends in numbers that no training sees.
_MOST_STEPS = 20
#: A model that takes longer is run for its recording only once.
_LONGEST_RECORDING_S = 3.0


class InferenceRun:
    """The model called as the user calls it, in the user's grad mode; `context` makes what stands
    around each call."""

    training = False

    def __init__(
        self,
        model: Any,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        context: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
    ) -> None:
        self.model = model
        self.module = module_of(model)
        self.called = model if isinstance(model, nn.Module) else self.module
        self.args = args
        self.kwargs = dict(kwargs)
        self.context = context
        self.state = LiveState(self.module, others=self._others())
        self._objects = ObjectState([*args, *kwargs.values()])

    def _others(self) -> list[Any]:
        return [*self.args, *self.kwargs.values()]

    @property
    def compiled(self) -> bool:
        """Whether torch.compile stands between the user's call and the operators."""
        return any(is_compiled(module) for module in self.called.modules())

    def recorded(self) -> tuple[Recorder, Recording]:
        """Runs it once under a recorder. What the model raises comes out as it is."""
        self.state.save_buffers()
        recorder = Recorder(self.module, keep_arguments=True, state=self.state)
        begin = time.monotonic()
        recording = self._recorded_by(recorder)
        if time.monotonic() - begin < _LONGEST_RECORDING_S and not has_scripted(self.module):
            again = self._recorded_by(Recorder(self.module, state=self.state))
            recording.notes += _notes_on_changes(recording, again)
        return recorder, recording

    def _recorded_by(self, recorder: Recorder) -> Recording:
        with without_compiler(), self.context():
            recording = record_call(recorder, self.module, self.args, self.kwargs)
        self._objects.restore()
        return recording

    @property
    def gradients(self) -> bool:
        """Whether they are on where the model is called."""
        with self.context():
            return torch.is_grad_enabled()

    def run(self, times: int) -> None:
        model, args, kwargs = self.called, self.args, self.kwargs
        if self._objects or self.context is not contextlib.nullcontext:
            self._run_in_context(times)
            return
        for _ in range(times):
            model(*args, **kwargs)

    def _run_in_context(self, times: int) -> None:
        for _ in range(times):
            with self.context():
                self.called(*self.args, **self.kwargs)
            self._objects.restore()

    def restore(self) -> None:
        """Nothing runs away between two windows."""


def _notes_on_changes(one: Recording, other: Recording) -> list[str]:
    """What to know of a model that does not do the same in every run."""
    if has_same_work(one, other):
        return []
    return [
        f"the model does not make the same calls in every run: {len(one.calls)} in the first, "
        f"{len(other.calls)} in the second; operators are those of the first run, and the time of "
        "the whole is a mean over all runs"
    ]


class TrainingRun:
    """One step of training: forward, loss, backward, optimiser, zero_grad."""

    training = True
    gradients = True

    def __init__(
        self, model: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], step: TrainingStep
    ) -> None:
        self.model = model
        self.module = module_of(model)
        self.called = model if isinstance(model, nn.Module) else self.module
        self.args = args
        self.kwargs = dict(kwargs)
        self.step = step
        self.context = step.context
        self.state = LiveState(
            self.module, step.optimizer, [*args, *self.kwargs.values(), step.target, step.loss]
        )
        self._objects = ObjectState([*args, *kwargs.values()])
        self._steps = 0

    @property
    def compiled(self) -> bool:
        return any(is_compiled(module) for module in self.called.modules())

    def recorded(self) -> tuple[Recorder, Recording]:
        self.state.save_buffers()
        self._forget_gradients()
        with without_compiler():
            # The first step of an optimiser makes its state; all later ones are alike.
            record_step(
                Recorder(self.module, state=self.state),
                self.module,
                self.args,
                self.kwargs,
                self.step,
            )
            self._forget_gradients()
            self._objects.restore()
            recorder = Recorder(self.module, keep_arguments=True, state=self.state)
            recording = record_step(recorder, self.module, self.args, self.kwargs, self.step)
        self._forget_gradients()
        self._objects.restore()
        return recorder, recording

    def run(self, times: int) -> None:
        model, args, kwargs, step = self.called, self.args, self.kwargs, self.step
        optimizer, objects = step.optimizer, self._objects
        self._steps += times
        with torch.enable_grad():
            for _ in range(times):
                with step.context():
                    output = model(*args, **kwargs)
                    loss = step.loss_of(output)
                del output
                loss.backward()  # type: ignore[no-untyped-call]
                del loss
                if optimizer is not None:
                    optimizer.step()
                    optimizer.zero_grad()
                else:
                    self._forget_gradients()
                if objects:
                    objects.restore()

    def wrote(self, steps: int) -> None:
        """Others made so many steps with the same parameters."""
        self._steps += steps

    def restore(self) -> None:
        """Parameters go back after some steps; one more step makes what the optimiser keeps."""
        if self._steps < _MOST_STEPS:
            return
        threads = torch.get_num_threads()
        self.state.restore()
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        self._forget_gradients()
        self.run(1)
        self._steps = 0

    def _forget_gradients(self) -> None:
        for parameter in self.module.parameters():
            parameter.grad = None
        if self.step.optimizer is not None:
            self.step.optimizer.zero_grad(set_to_none=True)
