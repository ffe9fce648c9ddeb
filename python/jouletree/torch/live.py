"""Live objects: how a model is called with what a user gives, and how everything is put back
afterwards.

Example:
    >>> state = LiveState(model, optimizer)
    >>> state.save()
    >>> train_one_step(model, optimizer)
    >>> state.restore()  # parameters, gradients, flags, random numbers, …
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import random
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from jouletree._interrupts import held
from jouletree.errors import BadInput
from jouletree.torch.values import tensors_in
from jouletree.torch.versions import Versions
from jouletree.torch.walks import modules


def call_arguments(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """How `model(…)` is called: a tuple or list gives positional arguments, a mapping named ones,
    anything else is the only argument, and None means none at all.

    >>> call_arguments({"input_ids": 7})
    ((), {'input_ids': 7})
    """
    if inputs is None:
        return (), {}
    if isinstance(inputs, Mapping):
        return (), {str(name): value for name, value in inputs.items()}
    if isinstance(inputs, (tuple, list)) and not hasattr(inputs, "_fields"):
        return tuple(inputs), {}
    return (inputs,), {}


def uncompiled(model: nn.Module) -> nn.Module:
    """The module that torch.compile was given; any other module is returned as it is."""
    while isinstance(getattr(model, "_orig_mod", None), nn.Module):
        model = model._orig_mod  # type: ignore[assignment]
    return model


@contextlib.contextmanager
def without_compiler() -> Iterator[None]:
    """Compiled functions inside a model run as they were written."""
    set_stance = getattr(getattr(torch, "compiler", None), "set_stance", None)
    # Nobody compiled anything unless the compiler was loaded, and loading it takes seconds.
    if set_stance is None or "torch._dynamo" not in sys.modules:
        yield
        return
    with set_stance("force_eager"):
        yield


def argument_names(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> list[tuple[str, Any]]:
    """Every argument with the name that `forward` gives it."""
    named: list[tuple[str, Any]] = []
    names = positional_names(model)
    for position, value in enumerate(args):
        named.append((names[position] if position < len(names) else f"input_{position}", value))
    named.extend(kwargs.items())
    return named


def positional_names(model: nn.Module) -> list[str]:
    """Names of the arguments that `forward` takes by position; none where it does not tell."""
    schema = getattr(model.forward, "schema", None)  # Of TorchScript.
    if schema is not None:
        return [one.name for one in schema.arguments[1:]]  # The first one is the module.
    function = getattr(model.forward, "__func__", None)
    if isinstance(function, FunctionType) and not vars(function):
        return list(function.__code__.co_varnames[1 : function.__code__.co_argcount])
    try:
        return [
            name
            for name, one in inspect.signature(model.forward).parameters.items()
            if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        return []


def named_tensors(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors of one argument: "cache", or "cache.0.key" where they are nested."""
    if isinstance(value, torch.Tensor):
        yield name, value
    elif isinstance(value, Mapping) and depth < 16:
        for key, item in value.items():
            yield from named_tensors(f"{name}.{key}", item, depth + 1)
    elif isinstance(value, (list, tuple)) and depth < 16:
        for position, item in enumerate(value):
            yield from named_tensors(f"{name}.{position}", item, depth + 1)
    else:
        for position, tensor in enumerate(tensors_in(value)):
            yield f"{name}.{position}", tensor


@dataclass(slots=True)
class _Copied:
    """Memory that existed before, and what it held; nothing where it was not yet written to."""

    storage: torch.UntypedStorage
    held: torch.UntypedStorage | None = None


def _storage_of(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    try:
        storage = tensor.untyped_storage()
        # Tensors without data have nothing to lose.
        return None if storage.device.type == "meta" else storage
    except Exception:
        return None


def _shows_other_memory(tensor: torch.Tensor, data: torch.Tensor) -> bool:
    try:
        return bool(
            tensor.untyped_storage()._cdata != data.untyped_storage()._cdata
            or tensor.storage_offset() != data.storage_offset()
        )
    except Exception:  # Sparse, nested and packed tensors.
        return tensor.data_ptr() != data.data_ptr()


def _refuse_lazy(modules: list[nn.Module]) -> None:
    """What has no shape yet cannot be put back to having none."""
    for module in modules:
        if any(tensor is not None and is_lazy(tensor) for tensor in module._parameters.values()):
            raise BadInput(
                f"{type(module).__name__} has no shape before its first call: call the model once, "
                "and then ask again"
            )


class LiveState:
    """What a model and its optimiser are like now, to be put back later.

    Memory is copied by `save`, or piece by piece by `before_write`, which whoever sees writes
    coming calls: a model that only reads its parameters then costs no copy of them.
    """

    def __init__(
        self,
        model: nn.Module | None,
        optimizer: torch.optim.Optimizer | None = None,
        others: Any = None,
        parts: list[nn.Module] | None = None,
    ) -> None:
        """`parts` are all modules of the model, where somebody has found them already."""
        if parts is None:
            parts = [] if model is None else modules(model)
        self._modules = list(parts)
        _refuse_lazy(self._modules)
        self._optimizer = optimizer
        self._others = [
            module
            for module in (others if isinstance(others, (list, tuple)) else [others])
            if isinstance(module, nn.Module)
        ]
        for module in self._others:
            self._modules.extend(modules(module))
        self._fields = [_Fields(module.__dict__) for module in self._modules]
        self._classes = [(module, type(module)) for module in self._modules]
        self._tensors: list[tuple[torch.Tensor, torch.Tensor, bool, torch.Tensor | None]] = []
        self._watched: list[torch.Tensor] = []  # They show all memory.
        self._buffers: list[torch.Tensor] = []
        self._watch_tensors(others)
        self._versions = Versions([tensor for tensor, *_ in self._tensors])
        self._optimizer_fields = self._watch_optimizer()
        self._random = _RandomState()
        self._threads = torch.get_num_threads()
        self._grad_enabled = torch.is_grad_enabled()

    def save(self) -> None:
        """Copies all memory at once: for runs that nobody watches."""
        for copied in self._memory.values():
            self._copy(copied)

    def save_buffers(self) -> None:
        """Copies buffers only: operators such as batch normalisation change them without saying
        so."""
        for buffer in self._buffers:
            self.before_write(buffer)

    def before_write(self, tensor: torch.Tensor) -> None:
        """Keeps what the tensor's memory holds, if it existed before and was not kept already."""
        storage = _storage_of(tensor)
        copied = None if storage is None else self._memory.get(int(storage._cdata))
        if copied is not None:
            self._copy(copied)

    def restore(self) -> None:
        """Puts everything back. Can be called more than once."""
        with held(firmly=True):
            self._restore()

    def _restore(self) -> None:
        for fields in self._fields:
            fields.restore()
        for module, kind in self._classes:
            if type(module) is not kind:
                module.__class__ = kind
        self._restore_optimizer()
        if "_memory" in self.__dict__:
            for copied in self._memory.values():
                if copied.held is not None:
                    copied.storage.copy_(copied.held)
        for tensor, data, requires_grad, grad in self._tensors:
            if _shows_other_memory(tensor, data) or tensor.shape != data.shape:
                tensor.data = data
            if tensor.is_leaf and tensor.requires_grad != requires_grad:
                tensor.requires_grad_(requires_grad)
            if tensor.is_leaf and tensor.grad is not grad:
                tensor.grad = grad
        self._versions.restore()
        self._random.restore()
        if torch.get_num_threads() != self._threads:
            torch.set_num_threads(self._threads)
        torch.set_grad_enabled(self._grad_enabled)

    @staticmethod
    def _copy(copied: _Copied) -> None:
        if copied.held is None:
            copied.held = copied.storage.clone()  # type: ignore[no-untyped-call]

    def _watch_tensors(self, others: Any) -> None:
        seen: set[int] = set()

        def watch(tensor: torch.Tensor) -> None:
            if id(tensor) in seen:
                return
            seen.add(id(tensor))
            grad = tensor.grad if tensor.is_leaf else None
            try:
                data = tensor.data
                self._tensors.append((tensor, data, tensor.requires_grad, grad))
            except Exception:  # Some tensor classes have no plain data.
                data = tensor
            self._watched.append(data)
            if grad is not None:
                self._watched.append(grad)

        for module in self._modules:
            for parameter in module._parameters.values():
                if parameter is not None:
                    watch(parameter)
            for buffer in module._buffers.values():
                if buffer is not None:
                    self._buffers.append(buffer)
                    watch(buffer)
        if self._optimizer is not None:
            for group in self._optimizer.param_groups:
                for parameter in group["params"]:
                    watch(parameter)
        for tensor in tensors_in(others):
            watch(tensor)

    @functools.cached_property
    def _memory(self) -> dict[int, _Copied]:
        """By address. Runs that compute nothing never ask for it."""
        found: dict[int, _Copied] = {}
        for tensor in self._watched:
            storage = _storage_of(tensor)
            if storage is not None:
                found.setdefault(int(storage._cdata), _Copied(storage))
        return found

    def _watch_optimizer(self) -> dict[str, Any] | None:
        if self._optimizer is None:
            return None
        self._watched += tensors_in(dict(self._optimizer.state))
        fields = _copied_fields(self._optimizer.__dict__)
        fields["state"] = {
            key: _copied_fields(value) if isinstance(value, dict) else value
            for key, value in self._optimizer.state.items()
        }
        fields["param_groups"] = [_copied_fields(group) for group in self._optimizer.param_groups]
        return fields

    def _restore_optimizer(self) -> None:
        optimizer, before = self._optimizer, self._optimizer_fields
        if optimizer is None or before is None:
            return
        state, groups = before["state"], before["param_groups"]
        live_state, live_groups = optimizer.state, optimizer.param_groups
        _restore_fields(
            optimizer.__dict__,
            {
                name: value
                for name, value in before.items()
                if name not in ("state", "param_groups")
            },
            but=("state", "param_groups"),
        )
        # Schedulers and users hold on to the very objects.
        for key in [key for key in live_state if key not in state]:
            del live_state[key]
        for key, fields in state.items():
            kept = live_state.get(key)
            if isinstance(kept, dict) and isinstance(fields, dict):
                _restore_fields(kept, fields)
            else:
                live_state[key] = fields
        del live_groups[len(groups) :]
        for position, group in enumerate(groups):
            if position < len(live_groups):
                _restore_fields(live_groups[position], group)
            else:
                live_groups.append(group)


# Classes of one's own may do anything when they are copied or cleared.
_CONTAINERS = frozenset((dict, list, set, OrderedDict, defaultdict))


class _Container:
    """A list, dictionary or set with what was in it: the same object gets it back."""

    def __init__(self, live: Any) -> None:
        self.live = live
        self.held = live.copy()

    def restored(self) -> Any:
        if (
            self.live == self.held
            if isinstance(self.live, set)
            else _same_items(self.live, self.held)
        ):
            return self.live
        self.live.clear()
        if isinstance(self.live, list):
            self.live.extend(self.held)
        else:
            self.live.update(self.held)
        return self.live


def _same_items(live: Any, held: Any) -> bool:
    if len(live) != len(held):
        return False
    if isinstance(live, dict):
        return all(a is b for a, b in zip(live.keys(), held.keys(), strict=True)) and all(
            a is b for a, b in zip(live.values(), held.values(), strict=True)
        )
    return all(a is b for a, b in zip(live, held, strict=True))


class _Fields:
    """The attributes of an object. Most are as they were when they are put back, and to see that
    takes a fraction of the time of putting back."""

    def __init__(self, live: dict[str, Any]) -> None:
        self._live = live
        self._held = live.copy()
        containers = [value for value in live.values() if type(value) in _CONTAINERS]
        self._empty = [value for value in containers if not value]
        self._filled = [_Container(value) for value in containers if value]

    def restore(self) -> None:
        live, held = self._live, self._held
        if live.keys() != held.keys() or not all(map(operator.is_, live.values(), held.values())):
            for name in [name for name in live if name not in held]:
                del live[name]
            live.update(held)
        if any(self._empty):
            for container in self._empty:
                container.clear()
        for container in self._filled:
            container.restored()


def _copied_fields(fields: dict[str, Any]) -> dict[str, Any]:
    # Attributes of modules are mostly numbers and flags; containers of hooks and submodules change
    # in place.
    return {
        name: _Container(value) if type(value) in _CONTAINERS and value else value
        for name, value in fields.items()
    }


def _restore_fields(
    live: dict[str, Any], before: dict[str, Any], but: tuple[str, ...] = ()
) -> None:
    for name in [name for name in live if name not in before and name not in but]:
        del live[name]
    for name, value in before.items():
        wanted = value.restored() if isinstance(value, _Container) else value
        if wanted is value and type(value) in _CONTAINERS and value:
            value.clear()  # Only those that were empty are kept as they are.
        if name not in live or live[name] is not wanted:
            live[name] = wanted


class _RandomState:
    """The random number generators of torch, Python and, where it is loaded, NumPy."""

    def __init__(self) -> None:
        self._torch = torch.get_rng_state()
        self._devices: list[tuple[Callable[[Any], None], Any]] = []
        for name in ("cuda", "xpu", "mps"):
            device = getattr(torch, name, None)
            if device is None or not _in_use(device):
                continue
            if hasattr(device, "get_rng_state_all"):
                self._devices.append((device.set_rng_state_all, device.get_rng_state_all()))
            elif hasattr(device, "get_rng_state"):
                self._devices.append((device.set_rng_state, device.get_rng_state()))
        self._python = random.getstate()
        # NumPy loads it when it is first asked for.
        numpy = sys.modules.get("numpy.random")
        self._numpy = None if numpy is None else numpy.get_state()

    def restore(self) -> None:
        torch.set_rng_state(self._torch)
        for put_back, state in self._devices:
            put_back(state)
        random.setstate(self._python)
        numpy = sys.modules.get("numpy.random")
        if numpy is None:
            return
        if self._numpy is not None:
            numpy.set_state(self._numpy)
        else:
            numpy.seed()  # The model loaded it, and perhaps chose a seed; nobody else did.


def _in_use(device: Any) -> bool:
    try:
        started = getattr(device, "is_initialized", None)
        return bool(started()) if started is not None else bool(device.is_available())
    except Exception:
        return False
