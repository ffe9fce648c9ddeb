"""Which module a call belongs to: by the modules being called, and for backward calls by their
forward call.

Example:
    >>> tree = ModuleTree(model)
    >>> with ModuleWatch(tree) as watch:
    ...     model(x)
    >>> [step for step in tree.steps_of(model.encoder)]
    ['encoder(Encoder)']
"""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import nn

from jouletree._interrupts import held
from jouletree.torch.scripted import type_name
from jouletree.torch.values import tensors_in

#: Steps from the root to a module, each written "name(Type)"; empty for the root itself.
Path = tuple[str, ...]

# What torch.compile puts around a module is no part of the model.
_WRAPPER_STEP = "_orig_mod"
# Modules that share modules that share modules have names without end.
_MOST_NAMES = 64


def _step(name: str, module: nn.Module) -> str:
    # Parentheses end the name where the path is read.
    plain = name.replace("(", "[").replace(")", "]")
    return f"{plain}({type_name(module)})"


def _steps_to(module: nn.Module, holder: nn.Module) -> Path | None:
    """From a module to one that it holds; None where it does not."""
    for name, one in holder.named_modules():
        if one is module and name:
            steps, at = [], holder
            for part in name.split("."):
                at = at._modules[part]  # type: ignore[assignment]
                if part != _WRAPPER_STEP:
                    steps.append(_step(part, at))
            return tuple(steps)
    return None


class ModuleTree:
    """The paths of all modules of a model, and of those that turn up while it runs."""

    def __init__(self, root: nn.Module | None) -> None:
        self.root = root
        self._paths: dict[int, list[Path]] = {}
        self._known: list[nn.Module] = []  # Keeps ids from being used again.
        self._taken: dict[Path, set[str]] = {}
        #: Called with a module that nobody told of, and its path.
        self.on_stranger: Callable[[nn.Module, Path], None] = lambda *_: None
        if root is not None:
            self._add_below(root, ())

    def add(self, module: nn.Module, name: str) -> None:
        """Gives a module outside the model, such as a loss, a place beside the model's own
        modules."""
        if id(module) not in self._paths:
            path = (_step(name, module),)
            self._add_below(module, path)
            self.on_stranger(module, path)

    def path_in(
        self, module: nn.Module, around: Path | None, caller: nn.Module | None = None
    ) -> Path:
        """The path of a module that is called from the module `caller` at `around`.

        A module that has several names is called by the one that lies below its caller. One that
        was put into the model while it runs is called by the name that it got there.
        """
        paths = self._paths.get(id(module))
        if paths is None:
            return self._add_late(module, around or (), caller)
        if around is not None:
            for path in paths:
                if path[: len(around)] == around:
                    return path
        return paths[0]

    def path_of(self, module: nn.Module) -> Path | None:
        """The first path of a module; None where it is not known."""
        paths = self._paths.get(id(module))
        return paths[0] if paths else None

    def _add_below(self, module: nn.Module, path: Path) -> None:
        # Modules may contain themselves by way of a child that refers to its parent.
        pending: list[tuple[nn.Module, Path, frozenset[int]]] = [(module, path, frozenset())]
        while pending:
            at, here, above = pending.pop()
            if id(at) in above:
                continue
            paths = self._paths.setdefault(id(at), [])
            if not paths:
                self._known.append(at)
            if here in paths or len(paths) >= _MOST_NAMES:
                continue
            paths.append(here)
            for name, child in reversed(at._modules.items()):
                if child is None:
                    continue
                below = here if name == _WRAPPER_STEP else (*here, _step(name, child))
                pending.append((child, below, above | {id(at)}))

    def _add_late(self, module: nn.Module, around: Path, caller: nn.Module | None) -> Path:
        below = None if caller is None else _steps_to(module, caller)
        if below is None:
            return self._add_stranger(module, around)
        path = (*around, *below)
        self._add_below(module, path)
        self.on_stranger(module, path)
        return path

    def _add_stranger(self, module: nn.Module, around: Path) -> Path:
        taken = self._taken.setdefault(around, set())
        kind = type_name(module)
        name, repetition = kind, 1
        while name in taken:
            repetition += 1
            name = f"{kind}_{repetition}"
        taken.add(name)
        path = (*around, _step(name, module))
        self._add_below(module, path)
        self.on_stranger(module, path)
        return path


class ModuleListener(Protocol):
    """Is told about every call of a module."""

    def enter(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None: ...
    def leave(self, module: nn.Module, output: Any) -> None: ...


_listeners: list[ModuleListener] = []
_listeners_lock = threading.Lock()


def _heard(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], call: Any) -> Any:
    heard_by = list(_listeners)
    for listener in heard_by:
        listener.enter(module, args, kwargs)
    output = None
    try:
        output = call(module, *args, **kwargs)
        return output
    finally:
        for listener in reversed(heard_by):
            listener.leave(module, output)


class _Uncompiled:
    """What torch.compile made of a module in place would hide its operators: nobody finds it."""

    def __get__(self, module: nn.Module | None, kind: Any = None) -> None:
        return None

    def __set__(self, module: nn.Module, compiled: Any) -> None:
        module.__dict__["_compiled_call_impl"] = compiled


class _Patch:
    """The class attributes behind `module(…)` that are replaced while somebody listens. Hooks would
    not see keyword arguments on every version of torch, and they belong to the user: nothing is
    added to any module."""

    def __init__(self) -> None:
        self._before: dict[str, Any] = {}

    def put(self) -> None:
        fields = vars(nn.Module)
        inner = fields["_call_impl"]

        def heard_inner(module: nn.Module, *args: Any, **kwargs: Any) -> Any:
            return _heard(module, args, kwargs, inner)

        def heard(module: nn.Module, *args: Any, **kwargs: Any) -> Any:
            return _heard(module, args, kwargs, lambda one, *a, **k: one._call_impl(*a, **k))

        # Python looks through all classes of modules when it is told of another __call__.
        is_plain = fields["__call__"] is fields.get("_wrapped_call_impl")
        if is_plain and "_compiled_call_impl" in fields:
            instead = {"_call_impl": heard_inner, "_compiled_call_impl": _Uncompiled()}
        else:
            instead = {"__call__": heard}
        for name, value in instead.items():
            self._before[name] = fields[name]
            setattr(nn.Module, name, value)

    def take_back(self) -> None:
        for name, value in self._before.items():
            setattr(nn.Module, name, value)
        self._before.clear()


_patch = _Patch()


def listen(listener: ModuleListener) -> None:
    """Tells the listener about every call of a module from now on."""
    with held(firmly=True), _listeners_lock:
        if not _listeners:
            _patch.put()
        _listeners.append(listener)


def stop_listening(listener: ModuleListener) -> None:
    """The listener hears no more; the last one puts back what was replaced."""
    with held(firmly=True), _listeners_lock:
        _listeners.remove(listener)
        if not _listeners:
            _patch.take_back()


@dataclass(slots=True)
class ModuleCall:
    """One call of one module: where it stands and which recorded calls were made inside."""

    module: nn.Module
    path: Path
    first: int
    last: int = -1  # Exclusive; -1 while it runs.
    args: tuple[Any, ...] | None = None
    kwargs: dict[str, Any] | None = None
    #: Positions of the tensors of its result that a backward call gave a gradient to.
    differentiated: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Thread:
    stack: list[ModuleCall] = field(default_factory=list)
    #: Autograd numbers its nodes in the order of their forward calls, per thread. Nodes from
    #: `numbers[i]` on were made while `paths[i]` was the innermost module.
    numbers: list[int] = field(default_factory=list)
    paths: list[Path | None] = field(default_factory=list)
    said: Path | None = None


def next_node_number() -> int | None:
    """The number that autograd will give to the next node of this thread; None on a torch that
    cannot tell."""
    ask = getattr(getattr(torch._C, "_autograd", None), "_get_sequence_nr", None)
    return None if ask is None else int(ask())


def in_backward() -> bool:
    """Whether autograd is at work on this thread."""
    return int(torch._C._current_graph_task_id()) != -1


class ModuleWatch:
    """Follows which module runs, on every thread, and which module each autograd node was made
    in."""

    def __init__(
        self,
        tree: ModuleTree,
        call_count: Callable[[], int] = lambda: 0,
        keep_arguments: bool = False,
        owner_of: Callable[[torch.Tensor], Path | None] = lambda *_: None,
    ) -> None:
        self.tree = tree
        self.calls: list[ModuleCall] = []
        self._count = call_count
        self._keep = keep_arguments
        self._owner_of = owner_of
        self._threads: dict[int, _Thread] = {}
        self._own_thread = threading.get_ident()
        #: Whether to learn which results of modules get gradients.
        self.follows_gradients = False
        self._hooks: list[Any] = []

    def __enter__(self) -> ModuleWatch:
        self._own_thread = threading.get_ident()
        listen(self)
        return self

    def __exit__(self, *problem: object) -> None:
        stop_listening(self)
        self._owner_of = lambda *_: None  # Whoever made this could not be freed by itself.
        for thread in self._threads.values():
            thread.stack.clear()
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()

    def enter(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if threading.get_ident() != self._own_thread and not in_backward():
            return  # Somebody else's model, which runs at the same time.
        thread = self._thread()
        around = thread.stack[-1].path if thread.stack else None
        if around is None and in_backward():
            around = self._path_of_node()  # A checkpoint that runs its forward calls again.
        caller = thread.stack[-1].module if thread.stack else None
        path = self.tree.path_in(module, around, caller)
        call = ModuleCall(module, path, self._count())
        if self._keep:
            call.args, call.kwargs = args, kwargs
        self.calls.append(call)
        thread.stack.append(call)
        self._note(thread, path)

    def leave(self, module: nn.Module, output: Any) -> None:
        thread = self._thread()
        if not thread.stack or thread.stack[-1].module is not module:
            return  # It was entered before anybody listened.
        call = thread.stack.pop()
        call.last = self._count()
        if self.follows_gradients:
            self._follow(call, output)
        self._note(thread, thread.stack[-1].path if thread.stack else None)

    def _follow(self, call: ModuleCall, output: Any) -> None:
        for position, tensor in enumerate(tensors_in(output)):
            if tensor.requires_grad:

                def mark(_gradient: torch.Tensor, position: int = position) -> None:
                    call.differentiated.add(position)

                self._hooks.append(tensor.register_hook(mark))  # type: ignore[no-untyped-call]

    def say_path(self, path: Path | None) -> None:
        """Whoever runs a graph node by node knows better than the modules being called; None ends
        that."""
        thread = self._thread()
        thread.said = path
        self._note(thread, path)

    def current_path(self) -> Path | None:
        """The path of the call being made now; None where no module has to do with it."""
        thread = self._threads.get(threading.get_ident())
        if thread is not None and thread.stack:
            return thread.stack[-1].path
        if thread is not None and thread.said is not None:
            return thread.said
        return self._path_of_node() if in_backward() else None

    def _thread(self) -> _Thread:
        number = threading.get_ident()
        thread = self._threads.get(number)
        if thread is None:
            thread = self._threads[number] = _Thread()
        return thread

    @staticmethod
    def _note(thread: _Thread, path: Path | None) -> None:
        number = next_node_number()
        if number is None:
            return
        thread.numbers.append(number)
        thread.paths.append(path)

    def _path_of_node(self) -> Path | None:
        ask = getattr(torch._C, "_current_autograd_node", None)
        node = ask() if ask is not None else None
        if node is None:
            return None  # The engine adds up gradients between two nodes.
        variable = getattr(node, "variable", None)
        if isinstance(variable, torch.Tensor):
            return self._owner_of(variable)
        ask_number = getattr(node, "_sequence_nr", None)
        if ask_number is None:
            return None
        return self._path_at(int(ask_number()))

    def _path_at(self, number: int) -> Path | None:
        # The forward calls of one run are made by one thread, nearly always this one.
        own = self._threads.get(threading.get_ident())
        for thread in [own, *self._threads.values()] if own is not None else self._threads.values():
            if thread is None:
                continue
            at = bisect.bisect_right(thread.numbers, number) - 1
            if at >= 0:
                return thread.paths[at]
        return None
