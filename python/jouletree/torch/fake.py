"""Runs without computing: every tensor is replaced by one that has a shape and no data.

Example:
    >>> with torch.device("meta"):
    ...     model = LlamaForCausalLM(LlamaConfig.from_dict(seventy_billion))
    >>> recording = record_fake(model, {"input_ids": torch.zeros(1, 2048, dtype=torch.int64)})
"""

from __future__ import annotations

import contextlib
import gc
import logging
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from jouletree._interrupts import held
from jouletree.errors import BadInput
from jouletree.torch.exported import module_of
from jouletree.torch.fake_calls import FakeCalls, FakeMaker
from jouletree.torch.live import LiveState, call_arguments, without_compiler
from jouletree.torch.recording import Recorder, Recording
from jouletree.torch.runs import TrainingStep, grad_mode, put_back, record_call, record_step
from jouletree.torch.scripted import has_scripted
from jouletree.torch.values import tensors_in
from jouletree.torch.walks import modules, stored_tensors


class _FakeRecorder(Recorder):  # type: ignore[no-untyped-call]
    """Numbers that a tensor without data cannot give are made up where they decide nothing."""

    _keeps_memory = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled meanwhile, and to make sure of it costs as much as some calls."""
        return False

    def __init__(self, module: nn.Module, maker: FakeMaker) -> None:
        super().__init__(module)
        self._calls = FakeCalls(maker)

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if func is _DEVICE and type(args[0]) is FakeTensor:
            return args[0].fake_device
        return self._dispatched(func, args, kwargs or {})

    def _run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.phase == "optimizer" and func is torch.ops.aten._local_scalar_dense.default:
            return 1000.0  # How many steps were made: a factor, never a size.
        if func is _GROUPED_PRODUCT:
            return _grouped_product(*args, **kwargs)
        if func in _PRODUCTS:
            _check_types(args)
        return self._calls.run(func, args, kwargs, lambda: func(*args, **kwargs))


_DEVICE = torch.ops.prim.device.default
_GROUPED_PRODUCT = getattr(getattr(torch.ops.aten, "_grouped_mm", None), "default", None)


# Tensors without data are multiplied whatever their types are; those with data are not.
_PRODUCTS = frozenset(
    getattr(torch.ops.aten, name).default
    for name in ("mm", "addmm", "bmm", "baddbmm", "addbmm", "mv", "addmv", "dot", "vdot", "addr")
)


def _check_types(args: tuple[Any, ...]) -> None:
    types = {one.dtype for one in args if isinstance(one, torch.Tensor)}
    if len(types) > 1:
        raise RuntimeError(f"matrices of different types: {', '.join(sorted(map(str, types)))}")


def _grouped_product(
    a: torch.Tensor, b: torch.Tensor, offs: torch.Tensor | None = None, *_: Any, **__: Any
) -> torch.Tensor:
    """What torch says about shapes knows the types of one device only."""
    sizes = [a.shape[-2], b.shape[-1]]
    if a.dim() == 2 and b.dim() == 2 and offs is not None:
        sizes.insert(0, offs.shape[0])  # One product for each group.
    elif a.dim() == 3 and b.dim() == 3:
        sizes.insert(0, a.shape[0])
    return a.new_empty(sizes)


@contextlib.contextmanager
def _without_logs() -> Iterator[None]:
    """A model that cannot be counted without running is run instead: no need for pages of why."""
    log = logging.getLogger("torch._subclasses.fake_tensor")
    before, log.disabled = log.disabled, True  # A level would empty the caches of all loggers.
    try:
        yield
    finally:
        log.disabled = before


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Recording makes many small objects that all stay. To look through them, and through all of
    the program's, for garbage may take longer than the recording."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


# What most attributes of modules are.
_NO_TENSORS = frozenset((bool, int, float, str, type(None), dict, OrderedDict, set))


class FakeTensors:
    """Tensors without data in the place of real ones, the same for the same."""

    def __init__(self, model: nn.Module) -> None:
        self.mode = FakeTensorMode(allow_non_fake_inputs=True)
        self.maker = FakeMaker(self.mode)
        # Operators are chosen by the device: nothing would run on the meta device itself.
        self._instead_of_meta = _other_device(model)
        self._made: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        # By the memory that it is in place of: tensors that show a whole piece of it.
        self._whole: dict[int, torch.Tensor] = {}
        self._parts: set[int] = set()  # Memory of which a part was asked for first.

    def of(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor to use instead."""
        if isinstance(tensor, FakeTensor):
            return tensor
        made = self._made.get(id(tensor))
        if made is None:
            made = self._made[id(tensor)] = (tensor, self._make(tensor))
        return made[1]

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
            return self.mode.from_tensor(tensor) if quickly is None else quickly
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
        if key in self._whole:
            shown = self._whole[key].detach()
            with self.mode, torch.no_grad():
                made = shown.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
        elif key in self._parts or tensor.numel() * tensor.element_size() != memory.nbytes():
            self._parts.add(key)
            return None
        else:
            empty = torch.empty_strided(
                tensor.shape, tensor.stride(), dtype=tensor.dtype, device="meta"
            )
            made = self.maker.make(empty, tensor.device)
            self._whole[key] = made
        made.requires_grad_(tensor.requires_grad)
        if isinstance(tensor, nn.Parameter):
            made._is_param = True
        return made


def _is_plain(tensor: torch.Tensor) -> bool:
    return (
        type(tensor) in (torch.Tensor, nn.Parameter)
        and tensor.layout is torch.strided
        and tensor.is_leaf
        and not (tensor.is_quantized or tensor.is_conj() or tensor.is_neg())
        and tensor.numel() > 0
    )


def _other_device(model: nn.Module) -> torch.device:
    for _, _, tensor in stored_tensors(model):
        if tensor.device.type != "meta":
            return tensor.device
    return torch.device("cpu")


def has_no_data(model: nn.Module, inputs: Any) -> bool:
    """Whether the model can only be counted, because tensors of it are on the meta device."""
    tensors = [*model.parameters(), *model.buffers(), *tensors_in(inputs)]
    return any(tensor.device.type == "meta" for tensor in tensors)


def record_fake(
    model: Any,
    inputs: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    step: TrainingStep | None = None,
    gradients: bool = False,
) -> Recording:
    """Records a run, or a training step, in which nothing is computed and no memory is needed.
    `gradients` keeps the caller's grad mode for a run; otherwise no gradients are prepared for.

    Raises whatever the model raises where it needs to know the content of a tensor.
    """
    module = module_of(model)
    if has_scripted(module):
        raise BadInput("TorchScript runs it with tensors of its own")
    args, named = call_arguments(inputs)
    named = {**named, **(kwargs or {})}
    optimizer = None if step is None else step.optimizer
    others = [*args, *named.values()]
    if step is not None:
        others += [step.target, step.loss]
    with (
        held(),
        without_collections(),
        put_back(LiveState(module, optimizer, others)),
        without_compiler(),
        _without_logs(),
    ):
        fakes = FakeTensors(module)
        fakes.put_into(module)
        args, named = (
            fakes.inside(args),
            {name: fakes.inside(value) for name, value in named.items()},
        )
        if step is None:
            recorder = _FakeRecorder(module, fakes.maker)
            with fakes.mode, grad_mode(gradients):
                recording = record_call(recorder, module, args, named)
        else:
            recording = _record_fake_step(fakes, module, args, named, step)
    recording.fake = True
    return recording


def _record_fake_step(
    fakes: FakeTensors,
    module: nn.Module,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    step: TrainingStep,
) -> Recording:
    if isinstance(step.loss, nn.Module):
        fakes.put_into(step.loss)
    if step.optimizer is not None:
        fakes.put_into_optimizer(step.optimizer)
    faked = TrainingStep(step.loss, fakes.inside(step.target), step.optimizer, step.context)
    with fakes.mode:
        if step.optimizer is not None and not step.optimizer.state:
            record_step(_FakeRecorder(module, fakes.maker), module, args, kwargs, faked)
        return record_step(_FakeRecorder(module, fakes.maker), module, args, kwargs, faked)
