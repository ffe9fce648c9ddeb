"""Recipes: what a campaign writes down for a model that Python makes or trains.

A recipe is a JSON file. It names a function of the user (or a TorchScript file), its arguments, the
inputs in the order of the plan, the folder of the plan, and for a training step how that is made.

Example:
    >>> recipe = read_recipe("recipe.json")
    >>> model = made_model(recipe, "cpu")
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from jouletree._arguments import kind_of
from jouletree.errors import BadInput
from jouletree.torch.compiled import is_compiled
from jouletree.torch.files import load_file, refuse_to_move_program
from jouletree.torch.reasons import reason_of
from jouletree.torch.user_code import function_named, raised_in

_VERSION = 1


@dataclass(frozen=True)
class Recipe:
    """How a model is made; `training` is empty for inference."""

    function: str  # Empty where the model is in a file.
    file: str
    arguments: Mapping[str, Any]
    inputs: tuple[str, ...]
    folder: str
    seed: int
    training: Mapping[str, Any] | None


def read_recipe(path: str) -> Recipe:
    """Of the file that the program wrote just now."""
    told = json.loads(Path(path).read_text())
    if told.get("jouletree_recipe") != _VERSION:
        raise BadInput(
            "the program and its Python files are of different versions: install JouleTree anew"
        )
    return Recipe(
        told["function"],
        told["file"],
        told["arguments"],
        tuple(told["inputs"]),
        told["folder"],
        told["seed"],
        told["training"],
    )


def made_model(recipe: Recipe, device: str) -> Any:
    """The model on its device, in train mode for training and in eval mode for inference."""
    model = load_file(recipe.file, device) if recipe.file else _constructed(recipe, device)
    if isinstance(model, nn.Module):
        model.train(recipe.training is not None)
    elif recipe.training is not None:
        raise BadInput(f"{kind_of(model)} cannot be trained: only modules can")
    return model


def settings_of(recipe: Recipe, model: Any) -> dict[str, str]:
    """What tells this model's measurements from those of others, as a live engine names it."""
    trains = recipe.training is not None
    compiled = isinstance(model, nn.Module) and any(is_compiled(one) for one in model.modules())
    return {
        "mode": "train" if trains else "inference",
        "gradients": "on" if trains else "off",
        "compiled": "yes" if compiled else "no",
    }


def _constructed(recipe: Recipe, device: str) -> Any:
    name = recipe.function
    function = function_named(name, recipe.folder)
    if isinstance(function, nn.Module):
        raise BadInput(f"{name} is a model: name a function that returns it")
    _seed_all(recipe.seed)
    try:
        with torch.enable_grad():
            model = function(**recipe.arguments)
    except BaseException as error:  # A function that calls sys.exit() must not end the worker.
        raise raised_in(name, error, recipe.folder) from error
    if isinstance(model, nn.Module):
        return _moved(model, device)
    if type(model).__name__ == "ExportedProgram":
        refuse_to_move_program(torch.device(device))
        return model
    raise BadInput(f"{name} returned {kind_of(model)}: it must return a torch.nn.Module")


def _moved(model: nn.Module, device: str) -> nn.Module:
    try:
        return model.to(torch.device(device))
    except Exception as error:
        raise BadInput(
            f"the model cannot be moved to device {device}: {reason_of(error)}"
        ) from error


def _seed_all(seed: int) -> None:
    """The same weights in every process."""
    torch.manual_seed(seed)
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
