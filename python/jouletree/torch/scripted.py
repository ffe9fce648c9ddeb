"""Modules of TorchScript: their calls are made by an interpreter that no Python sees, but that a
profiler hears of.

Example:
    >>> record(torch.jit.load("net.pt"), x).calls[0].path
    ('layer1(Sequential)', '0(Conv2d)')
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from jouletree.torch.walks import modules

if TYPE_CHECKING:
    from jouletree.torch.modules import Path
    from jouletree.torch.recording import RecordedCall

_MARK = "jouletree:"
# "TOP(Net)::forward.layer1(Sequential)::forward.CALL_FUNCTION::relu()::relu."
_STEP = re.compile(r"([^.]*?)\(([^()]*)\)::[^.]*\.")
_NO_MODULES = ("TOP", "SELF", "")


def is_scripted(module: object) -> bool:
    """Whether TorchScript runs it: scripted, traced, or loaded from a file."""
    return isinstance(module, torch.jit.ScriptModule)


def type_name(module: nn.Module) -> str:
    """The class of a module; of a scripted one that which it was made of."""
    name = getattr(module, "original_name", None) if is_scripted(module) else None
    return name if isinstance(name, str) else type(module).__name__


def has_scripted(module: nn.Module | None) -> bool:
    """Whether TorchScript runs it or a part of it."""
    return module is not None and any(is_scripted(one) for one in modules(module))


def constants_of(module: nn.Module) -> list[torch.Tensor]:
    """Tensors in the code of a scripted module, in the order of their use."""
    if not isinstance(module, torch.jit.ScriptModule) or not module._c._has_method("forward"):
        return []
    found = []
    graph: Any = module.inlined_graph
    for node in graph.findAllNodes("prim::Constant"):
        value = node.output().toIValue()
        if isinstance(value, torch.Tensor):
            found.append(value)
    return found


def has_whole_numbers(tensor: torch.Tensor) -> bool:
    """A number of the code, rather than a weight."""
    if tensor.is_quantized or tensor.is_complex() or tensor.device.type == "meta":
        return False
    return not tensor.is_floating_point() or bool((tensor == tensor.round()).all())


class ScriptedPaths:
    """Listens while scripted modules run, and then tells each marked call where inside them it was
    made."""

    def __init__(self, calls: Sequence[RecordedCall]) -> None:
        self._calls = calls
        self._listening = contextlib.ExitStack()
        self._profiler: Any = None

    def __enter__(self) -> ScriptedPaths:
        self._listening.enter_context(_unfused())
        if (
            not torch._C._autograd._profiler_enabled()
        ):  # There can be one only, and it is the user's.
            with _quiet_profiler():
                self._profiler = self._listening.enter_context(
                    torch.profiler.profile(
                        activities=[torch.profiler.ProfilerActivity.CPU], with_modules=True
                    )
                )
        return self

    def __exit__(self, *problem: Any) -> None:
        with _quiet_profiler():
            self._listening.__exit__(*problem)
            if self._profiler is not None and problem[0] is None:
                self._take_paths()

    def mark(self, index: int) -> contextlib.AbstractContextManager[Any]:
        """Stands around the call of that index."""
        return torch.profiler.record_function(f"{_MARK}{index}")

    def _take_paths(self) -> None:
        with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
            trace = FilePath(folder) / "trace.json"
            self._profiler.export_chrome_trace(str(trace))
            events = json.loads(trace.read_text(errors="replace"))["traceEvents"]
        for event in events:
            name = event.get("name", "")
            modules = event.get("args", {}).get("Module Hierarchy")
            if name.startswith(_MARK) and modules:
                call = self._calls[int(name.removeprefix(_MARK))]
                call.path = (*(call.path or ()), *_path_in(modules))


def _path_in(hierarchy: str) -> Path:
    return tuple(
        f"{name}({kind})"
        for name, kind in _STEP.findall(hierarchy)
        if name not in _NO_MODULES and not name.startswith("CALL_FUNCTION")
    )


@contextlib.contextmanager
def _quiet_profiler() -> Iterator[None]:
    """Its first use reads how much it may say on standard error."""
    said = os.environ.get("KINETO_LOG_LEVEL")
    if said is None:
        os.environ["KINETO_LOG_LEVEL"] = "99"
    try:
        yield
    finally:
        if said is None:
            os.environ.pop("KINETO_LOG_LEVEL", None)


@contextlib.contextmanager
def _unfused() -> Iterator[None]:
    """The interpreter runs the operators that the model is made of, and fuses none."""
    ask = getattr(torch._C, "_get_graph_executor_optimize", None)
    set_to = getattr(torch._C, "_set_graph_executor_optimize", None)
    if ask is None or set_to is None:
        yield
        return
    before = ask()
    set_to(False)
    try:
        yield
    finally:
        set_to(before)
