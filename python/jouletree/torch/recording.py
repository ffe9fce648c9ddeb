"""Records every ATen call of one run of a live model: its arguments, the module it belongs to, and
its phase.

Example:
    >>> recording = record(model, x)
    >>> recording.calls[0].operator, recording.calls[0].path
    (<OpOverload(op='aten.convolution', overload='default')>, ('conv1(Conv2d)',))
    >>> jouletree._core.inspect_run(recording.to_objects(), "resnet")
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy
from torch.utils._python_dispatch import TorchDispatchMode

from jouletree.torch.live import LiveState
from jouletree.torch.modules import ModuleCall, ModuleTree, ModuleWatch, Path, in_backward
from jouletree.torch.scripted import (
    ScriptedPaths,
    constants_of,
    has_scripted,
    has_whole_numbers,
)
from jouletree.torch.signatures import OperatorFacts, facts_of, ordered_arguments
from jouletree.torch.values import Describer, Json, tensors_in
from jouletree.torch.walks import modules, stored_tensors

#: What a call is made for.
PHASES = ("forward", "loss", "backward", "optimizer", "zero_grad")


@dataclass(slots=True)
class LiveCall:
    """What a call was given: calling its operator with the same makes it again.

    Tensors share the memory of the model and of the run; who replays calls that write gives them
    copies.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    #: Whether gradients were on: some kernels then make what their backward call needs.
    gradients: bool = False


@dataclass(slots=True)
class RecordedCall:
    """One call below autograd. `path` is None where no module has to do with it."""

    index: int
    operator: Any
    phase: str
    path: Path | None
    writes: bool
    arguments: list[Json]
    outputs: list[Json]
    live: LiveCall | None = None

    @property
    def name(self) -> str:
        """With its namespace and without its overload: "aten::add"."""
        return facts_of(self.operator).name

    def to_json(self) -> dict[str, Json]:
        facts = facts_of(self.operator)
        written = {
            "op": facts.name,
            "overload": facts.overload,
            "writes": self.writes,
            "phase": self.phase,
            "args": self.arguments,
            "outputs": self.outputs,
        }
        if self.path is not None:
            written["path"] = list(self.path)
        return written


@dataclass
class Recording:
    """One run: what the model stores, what it was given, every call, and what it returned."""

    engine: str
    stored: list[Json] = field(default_factory=list)
    inputs: list[Json] = field(default_factory=list)
    calls: list[RecordedCall] = field(default_factory=list)
    outputs: Json = None
    notes: list[str] = field(default_factory=list)
    #: Calls of modules in the order in which they began; their arguments only where arguments are
    #: kept.
    module_calls: list[ModuleCall] = field(default_factory=list)
    #: Counted without computing anything.
    fake: bool = False

    def to_json(self) -> bytes:
        """The recording as the C++ library reads it."""
        text = json.dumps(
            {
                "engine": self.engine,
                "stored": self.stored,
                "inputs": self.inputs,
                "calls": [call.to_json() for call in self.calls],
                "outputs": self.outputs,
                "notes": self.notes,
            },
            allow_nan=False,
            separators=(",", ":"),
        )
        return text.encode()

    def to_objects(self) -> tuple[Any, ...]:
        """The same for a C++ library in the same process, which need not read a text."""
        calls = []
        for call in self.calls:
            facts = facts_of(call.operator)
            calls.append((
                facts.name, facts.overload, call.writes, call.phase, call.path, call.arguments,
                call.outputs,
            ))  # fmt: skip
        stored = [
            (one["name"], one["kind"], one["trainable"], one.get("whole_numbers"), one["tensor"])
            for one in self.stored
        ]
        inputs = [(one["name"], one["value"]) for one in self.inputs]
        return self.engine, stored, inputs, calls, self.outputs, self.notes


def _detached(value: Any) -> Any:
    """The same memory without the history, which would keep a whole run alive."""
    if isinstance(value, torch.Tensor):
        try:
            return value.detach()
        except Exception:
            return value
    if isinstance(value, list):
        return [_detached(item) for item in value]
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_detached(item) for item in value)
    return value


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Sequence[Any]:
    """All tensors among what a call was given, and perhaps plain values."""
    if kwargs or any(type(one) in (list, tuple) and tensors_in(one) for one in args):
        return tensors_in((args, kwargs))
    return args


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records what runs inside `with`. Nothing of the model is changed; `state` is told before
    memory is written."""

    supports_higher_order_operators = True

    def __init__(
        self,
        model: nn.Module | None = None,
        *,
        keep_arguments: bool = False,
        state: LiveState | None = None,
        describer: Describer | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.describer = describer or Describer()
        self.tree = ModuleTree(model)
        self.recording = Recording(f"PyTorch {torch.__version__.split('+')[0]}")
        self.phase = "forward"
        self._keep = keep_arguments
        self._state = state
        self._owners: dict[
            int, Path
        ] = {}  # By the storage of a parameter, its gradient or its optimiser state.
        self._without_owners: list[nn.Module] = []
        self._stored: dict[str, int] = {}  # Numbers of tensors by name.
        self._noted: dict[int, torch.Tensor] = {}  # By their ids, which nothing else gets.
        self.watch = ModuleWatch(
            self.tree, self.recording.calls.__len__, keep_arguments, self._owner_of
        )
        self.tree.on_stranger = self._store
        self._scripted = ScriptedPaths(self.recording.calls) if has_scripted(model) else None
        if model is not None:
            self._store(model, ())

    def __enter__(self) -> Recorder:
        self.watch.__enter__()
        if self._scripted is not None:
            self._scripted.__enter__()
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *problem: Any) -> None:
        super().__exit__(*problem)  # type: ignore[no-untyped-call]
        if self._scripted is not None:
            self._scripted.__exit__(*problem)
        self.watch.__exit__()
        if self.tree.root is not None and self._has_others(self.tree.root):
            self._store(self.tree.root, ())  # What it made while it ran.
        self.recording.module_calls = self.watch.calls
        # What refers to itself waits for a search through all objects of the program.
        self.tree.on_stranger = lambda *_: None

    @contextlib.contextmanager
    def in_phase(self, phase: str) -> Iterator[None]:
        """Calls inside are made for this phase, but for those that autograd makes."""
        before, self.phase = self.phase, phase
        try:
            yield
        finally:
            self.phase = before

    def add_input(self, name: str, tensor: torch.Tensor) -> None:
        """Names a tensor that the model is given."""
        self.recording.inputs.append(
            {"name": name, "value": {"tensor": self.describer.tensor(tensor)}}
        )

    def set_outputs(self, value: Any) -> None:
        """What the model returned."""
        self.recording.outputs = self.describer.value(tensors_in(value))

    def own(self, parameter: torch.Tensor, tensors: Sequence[torch.Tensor]) -> None:
        """These tensors, such as a gradient, belong to the module that owns the parameter."""
        path = self._owner_of(parameter)
        if path is None:
            return
        owners = self._all_owners()
        for tensor in tensors:
            owners[self.describer.storage_of(tensor)] = path

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        return self._dispatched(func, args, kwargs or {})

    def _dispatched(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        facts = facts_of(func)
        if facts.is_question:
            return NotImplemented
        if not facts.is_work:
            return func(*args, **kwargs)  # Marks for profilers and questions, not work.
        if facts.composite:  # Seen in inference mode only; elsewhere autograd has taken it apart.
            with self._seeing_parts():
                result = func.decompose(*args, **kwargs)
            if result is not NotImplemented:
                return result
        call = self._begin(func, facts, args, kwargs)
        result = self._run(func, args, kwargs)
        self._end(call, facts, args, kwargs, result)
        return result

    @contextlib.contextmanager
    def _seeing_parts(self) -> Iterator[None]:
        """While a call is recorded, those that it makes are not; this lets them be seen."""
        super().__enter__()  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            super().__exit__(None, None, None)  # type: ignore[no-untyped-call]

    def _run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._scripted is None:
            return func(*args, **kwargs)
        with self._scripted.mark(len(self.recording.calls)):
            return func(*args, **kwargs)

    def _begin(
        self, func: Any, facts: OperatorFacts, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> RecordedCall:
        if not kwargs and len(args) <= facts.positional:
            arguments = self.describer.values(args)
            arguments += facts.defaults[len(args) :]
        else:
            ordered = (
                list(ordered_arguments(facts, args, kwargs)) if facts.arguments or args else []
            )
            if not facts.arguments:
                ordered += [(True, value) for value in kwargs.values()]
            describe = self.describer.value
            arguments = [describe(value) if given else value for given, value in ordered]
        if self._state is not None and facts.changed:
            values = [value for _, value in ordered_arguments(facts, args, kwargs)]
            written = [values[at] for at in facts.changed if at < len(values)]
            for tensor in tensors_in(written):
                self._state.before_write(tensor)
        phase, path = self._place(args, kwargs)
        live = (
            LiveCall(
                _detached(args),
                {k: _detached(v) for k, v in kwargs.items()},
                torch.is_grad_enabled(),
            )
            if self._keep
            else None
        )
        return RecordedCall(0, func, phase, path, bool(facts.written), arguments, [], live)

    def _place(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, Path | None]:
        """The phase and the module that a call is made in."""
        phase = "backward" if in_backward() else self.phase
        path = self.watch.current_path()
        if path is None and phase in ("optimizer", "zero_grad"):
            path = self._owner_among(tensors_in([args, kwargs]))
        return phase, path

    def _end(
        self,
        call: RecordedCall,
        facts: OperatorFacts,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        result: Any,
    ) -> None:
        given = _given(args, kwargs)
        results = list(result) if isinstance(result, tuple) else [result]
        if call.writes and not tensors_in(results):
            # What returns nothing still has results: the tensors that it changed.
            ordered = list(ordered_arguments(facts, args, kwargs))
            results = [ordered[at][1] for at in facts.written]
        call.outputs = [self.describer.result(value, given) for value in results]
        self._add(call, results)

    def _add(self, call: RecordedCall, results: Sequence[Any]) -> None:
        if call.phase in ("optimizer", "zero_grad") and call.path is not None:
            owners = self._all_owners()
            for tensor in tensors_in(list(results)):
                owners.setdefault(self.describer.storage_of(tensor), call.path)
        call.index = len(self.recording.calls)
        self.recording.calls.append(call)

    def _store(self, module: nn.Module, path: Path) -> None:
        """Notes what a module and those below it store. What takes the name of another tensor has
        taken its place; a tensor with two names is the same for both."""
        known = set(self._stored.values())
        prefix = "".join(step[: step.index("(")] + "." for step in path)
        for kind, name, tensor in stored_tensors(module):
            if is_lazy(tensor):
                continue  # It gets its shape in the first call.
            self._noted[id(tensor)] = tensor
            number, written = self.describer.stored(tensor)
            if number not in known:
                known.add(number)
                self._store_tensor(prefix + name.replace("_orig_mod.", ""), kind, tensor, written)
        self._store_constants(module, prefix)
        self._without_owners.append(module)

    def _has_others(self, module: nn.Module) -> bool:
        """Whether a module stores tensors that were not noted."""
        return any(
            id(tensor) not in self._noted and not is_lazy(tensor)
            for _, _, tensor in stored_tensors(module)
        )

    def _store_constants(self, module: nn.Module, prefix: str) -> None:
        """Weights that torch.jit.freeze made a part of the code."""
        for place, tensor in enumerate(constants_of(module)):
            if self.describer.known_number(tensor) is not None:
                continue
            name = f"{prefix}CONSTANTS.c{place}"
            self._store_tensor(name, "constant", tensor, self.describer.stored(tensor)[1])
            self.recording.stored[-1]["whole_numbers"] = has_whole_numbers(tensor)

    def _store_tensor(
        self, name: str, kind: str, tensor: torch.Tensor, written: list[Json]
    ) -> None:
        if name in self._stored:
            self.recording.stored = [one for one in self.recording.stored if one["name"] != name]
        self._stored[name] = written[0]
        self.recording.stored.append(
            {
                "name": name,
                "kind": kind,
                "trainable": bool(tensor.requires_grad),
                "tensor": written,
            }
        )

    def _owner_of(self, parameter: torch.Tensor) -> Path | None:
        return self._all_owners().get(self.describer.storage_of(parameter))

    def _owner_among(self, tensors: Sequence[torch.Tensor]) -> Path | None:
        known = self._all_owners()
        owners = {known.get(self.describer.storage_of(tensor)) for tensor in tensors} - {None}
        return owners.pop() if len(owners) == 1 else None

    def _all_owners(self) -> dict[int, Path]:
        """Nobody asks for owners in an inference."""
        waiting, self._without_owners = self._without_owners, []
        for module in waiting:
            for part in modules(module):
                owner = self.tree.path_of(part)
                if owner is None:
                    continue
                for parameter in part._parameters.values():
                    if parameter is not None and not is_lazy(parameter):
                        self._owners.setdefault(self.describer.storage_of(parameter), owner)
        return self._owners
