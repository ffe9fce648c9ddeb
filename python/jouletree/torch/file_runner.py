"""A model file as the program measures it: what a worker does with each request."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import torch

from jouletree._outputs import chosen
from jouletree.errors import BadInput
from jouletree.torch.engine import TorchEngine
from jouletree.torch.exported import module_of
from jouletree.torch.files import (
    GivenInputs,
    check_input_names,
    input_names,
    input_shapes,
    is_live,
    load_file,
    padded,
    tensor_from,
    write_elements,
)
from jouletree.torch.live_runs import InferenceRun
from jouletree.torch.module_inputs import check_needed
from jouletree.torch.reasons import model_raised
from jouletree.torch.recipe_run import RecipeRun
from jouletree.torch.recipes import Recipe, made_model, read_recipe, settings_of

#: Requests that the engine answers itself.
_OF_ENGINE = (
    "name",
    "settings",
    "caller",
    "recording",
    "strides",
    "take_operators",
    "prepare_whole",
    "prepare_program",
    "prepare_part",
    "watch",
    "run",
    "run_each",
)


class FileRunner:
    """Answers requests one after the other: `open`, `load`, then those of the engine."""

    def __init__(self) -> None:
        self._model: Any = None
        self._recipe: Recipe | None = None
        self._device = "cpu"
        self._engine: TorchEngine | None = None
        torch.set_grad_enabled(False)

    def answer(self, method: str, arguments: list[Any]) -> Any:
        if method in ("open", "make", "load", "serve", "answer_with"):
            return getattr(self, method)(*arguments)
        if method not in _OF_ENGINE or self._engine is None:
            raise BadInput(f"the worker was asked for '{method}', which it cannot do now")
        return getattr(self._engine, method)(*arguments)

    def open(self, file: str, device: str) -> list[str]:
        """Returns the names of the inputs."""
        self._model = load_file(file, device)
        self._recipe = None
        self._device = device
        return input_names(self._model)

    def make(self, recipe: str, device: str) -> dict[str, Any]:
        """Makes the model of a recipe. Returns the names of its inputs, and what tells its
        measurements from those of others."""
        self._recipe = read_recipe(recipe)
        self._model = made_model(self._recipe, device)
        _check_inputs(self._model, self._recipe.inputs)  # Also for those who only try it.
        self._device = device
        return {
            "inputs": input_names(self._model),
            "settings": settings_of(self._recipe, self._model),
        }

    def load(self, inputs: dict[str, Any], threads: int, seed: int) -> None:
        """Runs the model once."""
        tensors = {name: tensor_from(*one) for name, one in inputs["files"].items()}
        order = () if self._recipe is None else self._recipe.inputs
        given = GivenInputs(
            inputs["shapes"], inputs["types"], inputs["values"], tensors, self._device, seed, order
        )
        args, kwargs = given.arguments(self._model)
        if self._recipe is not None:
            run = RecipeRun(self._recipe, self._model, self._device, seed)
            self._engine = run.opened(args, kwargs, threads)
            self._engine.add_notes([*given.notes(), *run.notes()])
            return
        torch.manual_seed(seed)
        try:
            engine = TorchEngine(InferenceRun(self._model, args, kwargs), threads)
            self._engine = engine.__enter__()
        except BadInput:
            raise
        except Exception as error:
            raise model_raised(error) from error
        engine.add_notes(given.notes())

    def serve(self, file: str, device: str, threads: int) -> list[tuple[str, list[int] | None]]:
        """Opens a file for `answer_with`. Returns names and shapes of its inputs; -1 is any size,
        and a file that does not tell has no shape."""
        names = self.open(file, device)
        torch.set_num_threads(threads)
        shapes = input_shapes(self._model)
        return [(name, shapes.get(name)) for name in names]

    def answer_with(
        self, files: dict[str, Any], values: dict[str, Any], output: str, result: str
    ) -> dict[str, Any]:
        """Runs the model once, and writes one of its outputs to a file."""
        tensors = {name: _rows_from(*one) for name, one in files.items()}
        given = GivenInputs(values=values, tensors=tensors, device=self._device)
        args, kwargs = given.arguments(self._model)
        if given.made_up:
            raise BadInput(f"input '{given.made_up[0]}' has no data")
        module = module_of(self._model)
        begin, cpu = time.monotonic_ns(), time.process_time_ns()
        try:
            returned = module(*args, **kwargs)
        except Exception as error:
            raise model_raised(error) from error
        tensor = chosen(returned, int(output) if output.isdigit() else output or None)
        if not isinstance(tensor, torch.Tensor):
            raise BadInput(f"the model returns {type(tensor).__name__}, not a tensor")
        tensor = tensor.detach().cpu().contiguous()
        end = time.monotonic_ns()
        write_elements(tensor, result)
        return {
            "begin_ns": begin,
            "end_ns": end,
            "cpu_ns": time.process_time_ns() - cpu,
            "type": str(tensor.dtype).rpartition(".")[2],
            "dims": list(tensor.shape),
        }


def _check_inputs(model: Any, given: Iterable[str]) -> None:
    """Raises BadInput unless the names are those of inputs, and of all that a live model needs."""
    names = {name.partition(".")[0] for name in given}
    check_input_names(model, names)
    if is_live(model):
        check_needed(model, names)


def _rows_from(file: str, offset: int, kind: str, shape: list[int], rows: int) -> torch.Tensor:
    """A tensor of which so many rows stand in the file."""
    return padded(tensor_from(file, offset, kind, [rows, *shape[1:]] if shape else []), shape)
