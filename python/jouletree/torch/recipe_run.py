"""One run of a model that a recipe made, or one step of its training, in an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from jouletree.errors import BadInput
from jouletree.torch.engine import TorchEngine
from jouletree.torch.exported import module_of
from jouletree.torch.live_runs import InferenceRun, TrainingRun
from jouletree.torch.planned_training import PlannedStep, planned_step
from jouletree.torch.reasons import model_raised, step_raised
from jouletree.torch.recipes import Recipe
from jouletree.torch.runs import TrainingError
from jouletree.torch.user_code import shown_place


class RecipeRun:
    """What an engine measures. Whatever the user's code raises names the line that did."""

    def __init__(self, recipe: Recipe, model: Any, device: str, seed: int) -> None:
        self._folder = recipe.folder
        self._model = model
        self._seed = seed
        self._planned: PlannedStep | None = None
        if recipe.training is not None:
            self._planned = planned_step(recipe, module_of(model), device, seed)

    def opened(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], threads: int) -> TorchEngine:
        """The engine after the recorded run."""
        torch.manual_seed(self._seed)
        try:
            # A step is made where gradients are on, as users make it.
            with torch.set_grad_enabled(self._planned is not None):
                return TorchEngine(self._run(args, kwargs), threads).__enter__()
        except TrainingError as error:
            raise BadInput(f"the model cannot be trained: {error}") from error
        except BadInput:
            raise
        except (Exception, SystemExit) as error:  # A model that ends must not end the worker.
            raise BadInput(f"{self._told(error)}{shown_place(error, self._folder)}") from error

    def notes(self) -> list[str]:
        """After it was opened."""
        return [] if self._planned is None else self._planned.notes()

    def _run(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> InferenceRun | TrainingRun:
        if self._planned is None:
            return InferenceRun(self._model, args, kwargs)
        return TrainingRun(self._model, args, kwargs, self._planned.step)

    def _told(self, error: BaseException) -> BadInput:
        if self._planned is None:
            return model_raised(error)
        return step_raised(error, self._planned.step, target="target under training in the plan")
