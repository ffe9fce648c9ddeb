"""A model file as the program measures it: what a worker does with each request."""

from __future__ import annotations

from typing import Any

import torch

from jouletree.errors import BadInput
from jouletree.torch.engine import TorchEngine
from jouletree.torch.files import GivenInputs, input_names, load_file, tensor_from
from jouletree.torch.live_runs import InferenceRun
from jouletree.torch.reasons import model_raised

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
        self._device = "cpu"
        self._engine: TorchEngine | None = None
        torch.set_grad_enabled(False)

    def answer(self, method: str, arguments: list[Any]) -> Any:
        if method in ("open", "load"):
            return getattr(self, method)(*arguments)
        if method not in _OF_ENGINE or self._engine is None:
            raise BadInput(f"the worker was asked for '{method}', which it cannot do now")
        return getattr(self._engine, method)(*arguments)

    def open(self, file: str, device: str) -> list[str]:
        """Returns the names of the inputs."""
        self._model = load_file(file, device)
        self._device = device
        return input_names(self._model)

    def load(self, inputs: dict[str, Any], threads: int, seed: int) -> None:
        """Runs the model once."""
        tensors = {name: tensor_from(*one) for name, one in inputs["files"].items()}
        given = GivenInputs(
            inputs["shapes"], inputs["types"], inputs["values"], tensors, self._device, seed
        )
        args, kwargs = given.arguments(self._model)
        torch.manual_seed(seed)
        try:
            engine = TorchEngine(InferenceRun(self._model, args, kwargs), threads)
            self._engine = engine.__enter__()
        except BadInput:
            raise
        except Exception as error:
            raise model_raised(error) from error
        engine.add_notes(given.notes())
