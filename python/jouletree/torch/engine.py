"""The PyTorch engine: runs a live model and its parts in the user's process.

The C++ library asks for what the methods of `TorchEngine` say; rounds, trials, the ledger and
energy are its own.

Example:
    >>> with TorchEngine(InferenceRun(model, (x,), {})) as engine:
    ...     jouletree._core.profile_live(engine, "net", 1, {"budget_s": 20.0}, None)
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import math
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from jouletree._interrupts import tell, telling
from jouletree.torch.compiled import CompiledModules, compiling
from jouletree.torch.context import CallInContext, spread
from jouletree.torch.devices import waiting_for, working_later
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.module_runs import CopiedModules, ModuleRuns
from jouletree.torch.pages import (
    FEWEST,
    can_give_back,
    fault_counter,
    settle_allocator,
    settled_share,
)
from jouletree.torch.program import Context, Program
from jouletree.torch.recording import Recorder, Recording
from jouletree.torch.scripted import is_scripted
from jouletree.torch.trained_modules import TrainedModules
from jouletree.torch.wiring import WiredCall, kind_of, plain_tensors, wired_calls
from jouletree.torch.workloads import CallsInOrder, CopiedCalls, CopySettings, Workload

_PAGE = os.sysconf("SC_PAGE_SIZE")
_FAULT_RUNS = 3


def _resident_bytes() -> int | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return None


class TorchEngine:
    """Prepares workloads and runs them between two looks at the clock."""

    def __init__(self, run: InferenceRun | TrainingRun, threads: int = 1) -> None:
        self._run = run
        #: What the user's model or training step raised in a later run than the recorded ones.
        self.raised: Exception | None = None
        self._threads = threads
        self._slots: dict[str, Workload] = {}
        self._operators: list[int] = []
        self._program: Program | None = None
        self._grad = run.gradients
        self._recorder: Recorder | None = None
        self._recording: Recording | None = None
        self._calls: list[WiredCall] = []
        self._weights: set[int] = set()
        self._modules: ModuleRuns | None = None
        self._compiled = CompiledModules(run.called)
        self._devices: set[torch.device] = set()
        self._synchronise = waiting_for(self._devices)
        self._faults: dict[str, float] = {}  # By kind of call.
        self._moved: Sequence[int] = ()
        self._took: dict[int, float] = {}  # Seconds of calls in the model.
        self._places: dict[str, list[int]] = {}  # Calls by kind.

    @property
    def users_run(self) -> InferenceRun | TrainingRun:
        """What the user asked to measure."""
        return self._run

    def __enter__(self) -> TorchEngine:
        try:
            torch.set_num_threads(self._threads)
            settle_allocator()
            self._recorder, self._recording = self._run.recorded()
            self._recording.notes += self._notes()
            self._calls = wired_calls(self._recording)
            self._weights = {item["tensor"][3] for item in self._recording.stored}
            self._run_on(working_later(one for call in self._calls for one in call.tensors))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        self._slots.clear()
        self._run.state.restore()

    # What it is.

    @telling
    def name(self) -> str:
        assert self._recording is not None
        return self._recording.engine

    @telling
    def settings(self) -> dict[str, str]:
        devices = sorted(str(device) for device in self._devices) or ["cpu"]
        return {
            "device": ", ".join(devices),
            "threads": str(self._threads),
            "mode": "train" if self._run.training else "inference",
            "gradients": "on" if self._grad else "off",
            "compiled": "yes" if self._run.compiled else "no",
        }

    @telling
    def caller(self) -> str:
        """What runs beside the operators; a compiled model does not call those recorded."""
        if self._run.compiled:
            return ""
        builds_graph = self._grad
        caller = "TorchScript" if is_scripted(self._run.module) else "Python"
        return f"{caller}, dispatch and autograd" if builds_graph else f"{caller} and dispatch"

    def _notes(self) -> list[str]:
        notes = []
        if self._run.compiled:
            notes.append(
                "the whole model and its modules ran as torch.compile made them; operators are "
                "those of the uncompiled graph, which it may fuse or leave out, so they need not "
                "add up to the whole"
            )
        if self._grad and not self._run.training:
            notes.append(
                "the model ran with gradients on; torch.no_grad() around the call measures it "
                "without"
            )
        return notes

    def add_notes(self, notes: Sequence[str]) -> None:
        """What else the reader of the numbers must know."""
        assert self._recording is not None
        self._recording.notes += notes

    @telling
    def recording(self) -> str:
        assert self._recording is not None
        return self._recording.to_json().decode()

    @telling
    def strides(self) -> list[list[list[int] | None]]:
        """Of the tensors of every call in order; None where they lie row by row."""
        return [_strides_of(call) for call in self._calls]

    @telling
    def take_operators(self, calls: Sequence[int], moved: Sequence[int] = ()) -> None:
        """Which calls are operators of the tree; others only hand on what they are given. `moved`
        are the bytes that every recorded call reads and writes."""
        self._operators = sorted(set(calls))
        self._moved = moved

    # Workloads.

    @telling
    def prepare_whole(self, warm_up: float) -> float:
        return self._prepare("whole", self._run, warm_up)

    @telling
    def prepare_program(self, warm_up: float) -> float:
        program = self._whole_program()
        return self._prepare("program", _ProgramRuns(program, self._run), warm_up)

    @telling
    def prepare_part(
        self,
        calls: Sequence[int],
        count: int,
        weight_sets: int,
        input_sets: dict[str, int],
        output_sets: int | None,
        context: tuple[int, int, float],
        warm_up: float,
    ) -> float:
        self._slots.pop("part", None)
        copies = CopySettings(count, weight_sets, input_sets, output_sets)
        workload = self._part(calls, copies, Context(*context))
        with self._compiling(workload):
            if isinstance(workload, (CopiedCalls, CallInContext, CopiedModules)):
                self._settle_faults(workload, calls)
            return self._prepare("part", workload, warm_up)

    def _compiling(self, workload: Workload) -> contextlib.AbstractContextManager[None]:
        is_compiled = self._compiled and isinstance(workload, CopiedModules)
        return compiling() if is_compiled else contextlib.nullcontext()

    @telling
    def watch(self, runs: int) -> list[list[tuple[int, int, int]]]:
        """When each call of the program began and ended, run by run."""
        program = self._whole_program()
        now = self._when_done if self._devices else time.monotonic_ns
        with self._quiet(program):
            program.run()
            seen = [program.timed(now) for _ in range(runs)]
            self._count_faults(program)
        self._took = _seconds_of_calls(seen)
        if isinstance(self._run, TrainingRun):
            self._run.wrote(runs + 1 + _FAULT_RUNS)
        operators = set(self._operators)
        return [[slice_ for slice_ in one if slice_[0] in operators] for one in seen]

    @telling
    def run(self, slot: str, times: int) -> tuple[int, int, int, int | None, float | None]:
        """(begin, end, CPU time, resident bytes, seconds); times are nanoseconds on the monotonic
        clock. The seconds are those of a call without its context, if it has one."""
        workload = self._slots[slot]
        with self._quiet(workload):
            workload.restore()
            self._synchronise()
            cpu = time.process_time_ns()
            begin = time.monotonic_ns()
            workload.run(times)
            self._synchronise()
            end = time.monotonic_ns()
            cpu = time.process_time_ns() - cpu
        inside = workload.inside_ns * 1e-9 if isinstance(workload, CallInContext) else None
        return begin, end, cpu, _resident_bytes(), inside

    @telling
    def run_each(self, slot: str, times: int) -> list[float]:
        workload = self._slots[slot]
        seconds = []
        with self._quiet(workload):
            workload.restore()
            self._synchronise()
            for _ in range(times):
                begin = time.monotonic_ns()
                workload.run(1)
                self._synchronise()
                seconds.append((time.monotonic_ns() - begin) * 1e-9)
        return seconds

    def _prepare(self, slot: str, workload: Workload, warm_up: float) -> float:
        with self._quiet(workload):
            workload.restore()
            workload.run(1)
            self._synchronise()
            begin = time.monotonic()
            runs, passed = 0, 0.0
            while passed < warm_up or runs == 0:
                workload.run(1)
                self._synchronise()
                runs += 1
                passed = time.monotonic() - begin
                tell()
        self._slots[slot] = workload
        return passed / runs

    def _count_faults(self, program: Program) -> None:
        """Page faults of a call of each kind in the model."""
        if not can_give_back() or self._devices:
            return
        runs = [program.faults(fault_counter(self._threads)) for _ in range(_FAULT_RUNS)]
        by_kind: dict[str, list[int]] = {}
        for seen in zip(*runs, strict=True):
            by_kind.setdefault(kind_of(self._calls[seen[0][0]]), []).append(
                sorted(faults for _, faults in seen)[_FAULT_RUNS // 2]
            )
        self._faults = {kind: sum(faults) / len(faults) for kind, faults in by_kind.items()}

    def _settle_faults(
        self, workload: CopiedCalls | CallInContext | CopiedModules, calls: Sequence[int]
    ) -> None:
        """Lets the workload take as many page faults as the calls do in the model."""
        in_model = sum(self._faults.get(kind_of(self._calls[at]), 0) for at in calls)
        if in_model < FEWEST:
            return
        count = fault_counter(self._threads)

        def faults_of_a_call(share: float) -> float:
            workload.faults.share = share
            if isinstance(workload, CallInContext):
                return workload.faults_of_a_call(count)
            calls = min(max(4.0, 3 / max(share, 0.05)), 32.0)
            runs = math.ceil(calls / workload.count)
            workload.run(1)
            before = count()
            workload.run(runs)
            return (count() - before) / (runs * workload.count)

        with self._quiet(workload):
            workload.faults.share = settled_share(in_model, faults_of_a_call)

    def _part(self, calls: Sequence[int], copies: CopySettings, before: Context) -> Workload:
        if len(calls) == 1:
            in_context = self._in_context(calls[0], copies, before)
            return in_context or CopiedCalls(self._calls[calls[0]], copies, self._weights)
        assert self._recording is not None and self._recorder is not None
        recording, storage_of = self._recording, self._recorder.describer.storage_of
        training = isinstance(self._run, TrainingRun)
        if self._modules is None:
            owners = [call.path for call in recording.calls] if training else None
            self._modules = ModuleRuns(recording.module_calls, self._operators, owners)
        found = self._modules.find(calls)
        inner = [self._calls[at] for at in calls]
        if found is None:
            return CallsInOrder(inner, copies, self._weights)
        context = self._run.context
        if training:
            return TrainedModules(
                found, inner, copies, storage_of, self._compiled, context, recording
            )
        return CopiedModules(found, inner, copies, storage_of, self._compiled, context)

    def _in_context(self, call: int, copies: CopySettings, wanted: Context) -> CallInContext | None:
        """None where a call needs no context, or where that cannot run again."""
        program = self._whole_program()
        if wanted.most_bytes <= 0 or self._devices or program.position_of(call) is None:
            return None
        positions = [program.position_of(one) for one in spread(self._alike(call))]
        known = [position for position in positions if position is not None]
        contexts = [program.context_of(at, self._moved, wanted, self._took) for at in known]
        try:
            sets = copies.by_argument(self._calls[call].storages, self._weights)
            made = CallInContext(program, known, contexts, sets)
            with self._quiet(made):
                made.run(2)
        except Exception:
            return None
        return made

    def _alike(self, call: int) -> list[int]:
        """All calls of the same kind."""
        if not self._places:
            for at in self._operators:
                self._places.setdefault(self._kind(at), []).append(at)
        return self._places.get(self._kind(call), [call])

    def _kind(self, call: int) -> str:
        wired = self._calls[call]
        return f"{kind_of(wired)}{[storage in self._weights for storage in wired.storages]}"

    def _whole_program(self) -> Program:
        if self._program is None:
            assert self._recording is not None
            self._program = Program(self._calls, self._recording.outputs, self._operators)
        return self._program

    def _run_on(self, devices: set[torch.device]) -> None:
        self._devices = devices
        self._synchronise = waiting_for(devices)

    def _when_done(self) -> int:
        """The time when all work up to now is done."""
        self._synchronise()
        return time.monotonic_ns()

    @contextlib.contextmanager
    def _quiet(self, workload: object) -> Iterator[None]:
        """No garbage collection; what is below autograd runs without gradients."""
        collects = gc.isenabled()
        gc.disable()
        is_users = isinstance(workload, (InferenceRun, TrainingRun, CopiedModules))
        try:
            with torch.set_grad_enabled(self._grad and is_users):
                yield
        except Exception as error:
            if workload is self._run:
                self.raised = error
            raise
        finally:
            if collects:
                gc.enable()


class _ProgramRuns:
    """A program that makes steps with the parameters of the run."""

    def __init__(self, program: Program, run: InferenceRun | TrainingRun) -> None:
        self._program = program
        self._of = run

    def run(self, times: int) -> None:
        call = self._program.run
        for _ in range(times):
            call()
        if isinstance(self._of, TrainingRun):
            self._of.wrote(times)

    def restore(self) -> None:
        self._of.restore()


def _seconds_of_calls(runs: Sequence[Sequence[tuple[int, int, int]]]) -> dict[int, float]:
    """The quickest of each: what it takes where nobody disturbs it."""
    took: dict[int, float] = {}
    for call, begin, end in itertools.chain.from_iterable(runs):
        took[call] = min(took.get(call, math.inf), (end - begin) * 1e-9)
    return took


def _strides_of(call: WiredCall) -> list[list[int] | None]:
    strides: list[list[int] | None] = []
    for tensor in plain_tensors(call.ordered):
        try:
            strides.append(None if tensor.is_contiguous() else list(tensor.stride()))
        except RuntimeError:  # Sparse and nested tensors have none.
            strides.append(None)
    return strides
