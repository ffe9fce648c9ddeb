"""Tensors without data in the place of real ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from jouletree.torch.fake_calls import FakeMaker
from jouletree.torch.walks import modules, stored_tensors

# What most attributes of modules are.
_NO_TENSORS = frozenset((bool, int, float, str, type(None), dict, OrderedDict, set))


# To make a mode reads the files of all its callers. Those that nobody asked anything are as good as
# new.
_idle: list[FakeMaker] = []
_MOST_IDLE = 4


class FakeTensors:
    """Tensors without data in the place of real ones, the same for the same."""

    def __init__(self, model: nn.Module) -> None:
        try:
            self.maker = _idle.pop()
        except IndexError:
            self.maker = FakeMaker(FakeTensorMode(allow_non_fake_inputs=True))
        self.mode = self.maker.mode
        #: Whether the mode had to do with any tensor, of which it may remember something.
        self.mode_was_asked = False
        self._model = model
        self._instead_of_meta: torch.device | None = None
        self._made: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        # By the memory that it is in place of: tensors that show a whole piece of it.
        self._whole: dict[int, torch.Tensor] = {}
        self._parts: set[int] = set()  # Memory of which a part was asked for first.

    def give_back(self) -> None:
        """No more tensors are made."""
        if not self.mode_was_asked and len(_idle) < _MOST_IDLE:
            _idle.append(self.maker)

    def of(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor to use instead."""
        if isinstance(tensor, FakeTensor):
            return tensor
        made = self._made.get(id(tensor))
        if made is None:
            made = self._made[id(tensor)] = (tensor, self._make(tensor))
        return made[1]

    def replaced(self) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
        """All tensors so far, each with what is used instead."""
        return self._made.values()

    def inside(self, value: Any) -> Any:
        """The same value with all tensors in tuples, lists and mappings replaced."""
        if isinstance(value, torch.Tensor):
            return self.of(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.inside(item) for item in value))
        if isinstance(value, (list, tuple)):
            return type(value)(self.inside(item) for item in value)
        if type(value) is dict:
            return {key: self.inside(item) for key, item in value.items()}
        return value

    def put_into(self, module: nn.Module) -> None:
        """Replaces what a module and those below it hold. LiveState.restore undoes it."""
        for part in modules(module):
            for stored in (part._parameters, part._buffers):
                for name, tensor in stored.items():
                    if tensor is not None:
                        stored[name] = self.of(tensor)  # type: ignore[assignment]
            for name, value in part.__dict__.items():
                if type(value) in _NO_TENSORS:
                    continue
                # Recurrent layers list their weights a second time.
                if isinstance(value, (list, tuple)) and any(
                    isinstance(one, torch.Tensor) for one in value
                ):
                    part.__dict__[name] = self.inside(value)
                elif isinstance(value, torch.Tensor):
                    part.__dict__[name] = self.of(value)

    def put_into_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """The same for parameters and state of an optimiser."""
        state = {
            self.of(parameter): self.inside(dict(kept))
            for parameter, kept in optimizer.state.items()
        }
        optimizer.state.clear()
        optimizer.state.update(state)
        for group in optimizer.param_groups:
            group["params"] = [self.of(parameter) for parameter in group["params"]]

    def _make(self, tensor: torch.Tensor) -> torch.Tensor:
        if tensor.device.type != "meta":
            quickly = self._quickly_made(tensor)
            if quickly is not None:
                return quickly
            self.mode_was_asked = True
            return self.mode.from_tensor(tensor)
        self.mode_was_asked = True
        if self._instead_of_meta is None:
            # Operators are chosen by the device: nothing would run on the meta device itself.
            self._instead_of_meta = _other_device(self._model)
        with self.mode, torch.no_grad():
            made = torch.empty_strided(
                tensor.shape, tensor.stride(), dtype=tensor.dtype, device=self._instead_of_meta
            )
        if isinstance(tensor, nn.Parameter):
            return nn.Parameter(made, tensor.requires_grad)
        return made.requires_grad_(tensor.requires_grad)

    def _quickly_made(self, tensor: torch.Tensor) -> torch.Tensor | None:
        """Most tensors of a model show a piece of memory of their own. from_tensor is made for all
        others as well, and takes ten times as long."""
        if not _is_plain(tensor):
            return None
        memory = tensor.untyped_storage()
        key = memory._cdata
        if key not in self._whole and (
            key in self._parts or tensor.numel() * tensor.element_size() != memory.nbytes()
        ):
            self._parts.add(key)
            return None
        made = self.maker.like(tensor, self._whole.get(key))
        self._whole.setdefault(key, made)
        made.requires_grad_(tensor.requires_grad)
        if isinstance(tensor, nn.Parameter):
            made._is_param = True
        return made


def real_tensors(parts: list[nn.Module]) -> dict[int, torch.Tensor] | None:
    """What modules hold themselves, by id: all that FakeTensors.put_into would replace. None where
    something among it is no plain tensor with data."""
    found: dict[int, torch.Tensor] = {}
    for part in parts:
        for stored in (part._parameters, part._buffers):
            for tensor in stored.values():
                if tensor is not None:
                    found[id(tensor)] = tensor
        if _NO_TENSORS.issuperset(map(type, part.__dict__.values())):
            continue
        for value in part.__dict__.values():
            if isinstance(value, torch.Tensor):
                found[id(value)] = value
            elif isinstance(value, (list, tuple)):
                found.update((id(one), one) for one in value if isinstance(one, torch.Tensor))
    return found if all(map(_is_ordinary, found.values())) else None


def _is_ordinary(tensor: torch.Tensor) -> bool:
    return (
        type(tensor) in _ORDINARY
        and tensor.layout is torch.strided
        and tensor.device.type != "meta"
        and not (tensor.is_quantized or tensor.is_conj() or tensor.is_neg())
    )


_ORDINARY = (torch.Tensor, nn.Parameter)


def _is_plain(tensor: torch.Tensor) -> bool:
    return _is_ordinary(tensor) and tensor.is_leaf and tensor.numel() > 0


def _other_device(model: nn.Module) -> torch.device:
    for _, _, tensor in stored_tensors(model):
        if tensor.device.type != "meta":
            return tensor.device
    return torch.device("cpu")
