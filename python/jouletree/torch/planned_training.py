"""A training step as a plan describes it: loss, target and optimiser by name.

Example:
    >>> step = planned_step({"loss": "", "target": None, "optimizer": "sgd", …}, model, …)
    >>> step.notes()
    ['one training step: SGD (learning rate 0.001) on …']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from jouletree._arguments import kind_of
from jouletree._outputs import chosen
from jouletree.errors import BadInput
from jouletree.torch.checks import check_needs_no_closure, check_training
from jouletree.torch.files import GivenInputs
from jouletree.torch.recipes import Recipe
from jouletree.torch.runs import TrainingError, TrainingStep, own_loss
from jouletree.torch.user_code import function_named, raised_in
from jouletree.torch.values import tensors_in
from jouletree.torch.wiring import plain_tensors

_OPTIMIZERS = {"sgd": "SGD", "adam": "Adam", "adamw": "AdamW"}
# As PyTorch's own defaults.
_LEARNING_RATE = 0.001
#: Losses that compare with numbers of classes.
_OF_CLASSES = ("cross_entropy", "nll_loss", "multi_margin_loss", "multilabel_margin_loss")


class OwnLoss:
    """The loss that a model returns, else the mean of the squares of what it returns."""

    def __init__(self) -> None:
        self.words = ""

    def __call__(self, output: Any) -> torch.Tensor:
        found = own_loss(output)
        if isinstance(found, torch.Tensor) and found.dim() == 0:
            self.words = "the loss that the model returns"
            return found
        self.words = (
            "the mean of the squares of its outputs, because the plan names no loss and the model "
            "returns none"
        )
        squares = [one.square().mean() for one in _floating(output) if one.requires_grad]
        if not squares:
            raise TrainingError(
                "it returns no floating-point tensor that depends on its parameters; name a loss "
                "under training in the plan"
            )
        return squares[0] if len(squares) == 1 else torch.stack(squares).mean()


def _floating(output: Any) -> list[torch.Tensor]:
    """Of what a model returns; what lies in objects such as caches counts if there is no other."""
    parts = list(output.values()) if isinstance(output, Mapping) else output
    if isinstance(parts, tuple):
        parts = tuple(parts)  # Named ones, too.
    found = [one for one in plain_tensors(parts) if one.is_floating_point()]
    return found or [one for one in tensors_in(output) if one.is_floating_point()]


class NamedLoss:
    """A function of torch.nn.functional, on the logits or the first of several outputs."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.words = name
        self._function: Any = getattr(torch.nn.functional, name)

    def __call__(self, output: Any, target: torch.Tensor) -> Any:
        return self._function(chosen(output, None), target)


@dataclass
class PlannedStep:
    """A step that can be made, and what a reader of its numbers must know."""

    step: TrainingStep
    loss_words: str
    optimizer_words: str
    made_up: list[str]

    def notes(self) -> list[str]:
        """After a step was made."""
        loss = self.step.loss.words if isinstance(self.step.loss, OwnLoss) else self.loss_words
        notes = [f"one training step: {self.optimizer_words} on {loss}"]
        if self.made_up:
            notes.append("the numbers of the target are all 0")
        return notes


def planned_step(recipe: Recipe, module: nn.Module, device: str, seed: int) -> PlannedStep:
    """Raises BadInput where no step can be made of what the plan says."""
    told = recipe.training or {}
    loss = _loss(told["loss"], recipe.folder, device)
    target, made_up = _target(told, device, seed)
    optimizer = _optimizer(told, module, recipe.folder)
    step = TrainingStep(loss, target, optimizer)
    check_training(module, step)
    check_needs_no_closure(optimizer)
    return PlannedStep(step, told["loss"], _words_of(told, optimizer), made_up)


def _loss(name: str, folder: str, device: str) -> Any:
    if not name:
        return OwnLoss()
    if ":" not in name:
        return NamedLoss(name)
    function = function_named(name, folder)
    if isinstance(function, type) and issubclass(function, nn.Module):
        function = function()
    return function.to(device) if isinstance(function, nn.Module) else function


def _target(told: Mapping[str, Any], device: str, seed: int) -> tuple[Any, list[str]]:
    shape = told["target"]
    if shape is None:
        return None, []
    kind = told["target_type"] or ("int64" if told["loss"] in _OF_CLASSES else "float32")
    # Other numbers than those of the inputs.
    random = torch.Generator().manual_seed(seed + 1)
    given = GivenInputs({"target": shape}, {"target": kind}, device=device)
    return given.tensor("target", random, []), given.made_up


def _optimizer(
    told: Mapping[str, Any], module: nn.Module, folder: str
) -> torch.optim.Optimizer | None:
    name = told["optimizer"]
    if name == "none":
        return None
    parameters = [one for one in module.parameters() if one.requires_grad]
    if not parameters:
        raise BadInput("the model has no parameter that can be trained")
    if name in _OPTIMIZERS:
        kind: Any = getattr(torch.optim, _OPTIMIZERS[name])
        made: torch.optim.Optimizer = kind(parameters, **_numbers(told))
        return made
    function = function_named(name, folder)
    try:
        optimizer = function(parameters)
    except BaseException as error:
        raise raised_in(name, error, folder) from error
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise BadInput(
            f"{name} returned {kind_of(optimizer)}: it must return a torch.optim.Optimizer"
        )
    return optimizer


def _numbers(told: Mapping[str, Any]) -> dict[str, float]:
    rate = told["learning_rate"]
    numbers = {"lr": _LEARNING_RATE if rate is None else rate}
    if told["momentum"] is not None:
        numbers["momentum"] = told["momentum"]
    return numbers


def _words_of(told: Mapping[str, Any], optimizer: torch.optim.Optimizer | None) -> str:
    if optimizer is None:
        return "no optimizer"
    if told["optimizer"] not in _OPTIMIZERS:
        return f"{type(optimizer).__name__} of {told['optimizer']}"
    numbers = _numbers(told)
    words = f"learning rate {numbers['lr']:g}"
    if "momentum" in numbers:
        words += f", momentum {numbers['momentum']:g}"
    return f"{type(optimizer).__name__} ({words})"
