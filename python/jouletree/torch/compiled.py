"""Models that torch.compile made faster: which of their modules it compiled, and how.

Example:
    >>> compiled = CompiledModules(torch.compile(model))
    >>> compiled.as_in_model(model.encoder)  # Compiled by the same backend, to be called alone.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

# A module that is compiled alone has a forward function in common with others of its class; each
# of their shapes takes an entry of the compiler's cache.
_CACHE_ENTRIES = 256


def is_compiled(module: nn.Module) -> bool:
    """Whether this very module was compiled, in place or by a wrapper."""
    return getattr(module, "_compiled_call_impl", None) is not None or _is_wrapper(module)


def _is_wrapper(module: nn.Module) -> bool:
    # Children of a scripted module stand in no dictionary.
    return any(name == "_orig_mod" for name, _ in module.named_children())


def _context_of(module: nn.Module) -> Any:
    """What the compiler keeps about how a module is compiled."""
    if _is_wrapper(module):
        return getattr(module, "dynamo_ctx", None)
    function = getattr(module, "_compiled_call_impl", None)
    for cell in getattr(function, "__closure__", None) or ():
        with contextlib.suppress(ValueError):  # An empty cell.
            if hasattr(cell.cell_contents, "callback"):
                return cell.cell_contents
    return None


def _backend_of(module: nn.Module) -> Callable[..., Any] | None:
    """None where it cannot be told: the usual one is as good as any."""
    backend = getattr(_context_of(module), "callback", None)
    for _ in range(16):
        inner = getattr(backend, "_torchdynamo_orig_backend", None)
        if inner is None:  # As older versions call it.
            inner = getattr(backend, "_torchdynamo_orig_callable", None)
        if inner is None:
            break
        backend = inner
    return backend if callable(backend) else None


class CompiledModules:
    """The modules of a model that run compiled: those compiled themselves, and all inside them."""

    def __init__(self, model: nn.Module) -> None:
        self._around: dict[int, nn.Module] = {}  # The compiled module around, by id.
        self._kept: list[nn.Module] = []
        for module in model.modules():
            if is_compiled(module):
                self._kept.append(module)
                for inner in module.modules():
                    # Those further inside come later.
                    self._around[id(inner)] = module

    def __bool__(self) -> bool:
        return bool(self._kept)

    def as_in_model(self, module: nn.Module) -> Any:
        """What to call so that the module runs alone as it runs in the model."""
        return module if is_compiled(module) else self.like(module, module)

    def like(self, original: nn.Module, copy: nn.Module) -> Any:
        """A copy of a module that was not compiled, compiled as the original is."""
        around = self._around.get(id(original))
        return copy if around is None else compiled_like(around, copy)


def compiled_like(around: nn.Module, module: nn.Module) -> Any:
    """The module compiled as the one around it; sizes are fixed, as the model's are in a run."""
    backend = _backend_of(around)
    settings: dict[str, Any] = {} if backend is None else {"backend": backend}
    return torch.compile(module, dynamic=False, **settings)


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Room for many compiled modules: beyond the usual limit they would run uncompiled."""
    config = getattr(sys.modules.get("torch._dynamo"), "config", None)
    names = ("recompile_limit", "cache_size_limit")
    limit = next((name for name in names if hasattr(config, name)), None)
    if config is None or limit is None:
        yield
        return
    with config.patch({limit: max(_CACHE_ENTRIES, getattr(config, limit))}):
        yield
