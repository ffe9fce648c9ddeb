"""Models of any kind as something that is called with a batch and returns one array or tensor."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jouletree import _core, _engines, _sources
from jouletree._files import model_file, naming_engine
from jouletree._inputs import by_name
from jouletree._names import called as named
from jouletree._onnx_model import OnnxModel
from jouletree._outputs import chosen
from jouletree._scored_arrays import as_numpy
from jouletree.errors import BadInput, Error

USUAL_BATCH = 32


class Called:
    """A model that is called batch by batch."""

    def __init__(
        self,
        call: Callable[[Any, int], Any],
        name: str,
        engine: str,
        notes: Callable[[], list[str]] = list,
    ) -> None:
        self._call = call
        self.name = name
        self.engine = engine
        self.batch = USUAL_BATCH
        self.notes = notes
        #: How many examples the model takes at a time, where it takes no other number.
        self.fixed_batch: Callable[[], int | None] = lambda: None
        #: How many parameters it has, where that is known.
        self.params: Callable[[], int | None] = lambda: None
        #: In the model, so far.
        self.time_s = 0.0

    def __call__(self, inputs: Any, examples: int) -> Any:
        begin = time.perf_counter()
        returned = self._call(inputs, examples)
        self.time_s += time.perf_counter() - begin
        return returned


@contextlib.contextmanager
def caller_of(
    model: Any, output: str | int | None, engine: dict[str, Any], name: str | None
) -> Iterator[Called]:
    """Whatever a user calls a model. Live models are left as they were."""
    with _caller_of(model, output, engine) as called:
        called.name = name or called.name
        yield called


@contextlib.contextmanager
def _caller_of(model: Any, output: str | int | None, engine: dict[str, Any]) -> Iterator[Called]:
    if _sources.is_keras_file(model):
        model = _sources.onnx_of_keras(model, None)
    if _sources.is_keras(model):  # On PyTorch it is a module of that, too.
        _refuse_engine(engine)
        called = Called(_keras_call(model, output), str(model.name), f"Keras {_keras_version()}")
        called.params = lambda: int(model.count_params()) if model.built else None
        yield called
    elif _sources.is_torch(model) or _sources.is_torch_file(model):
        _sources.need("torch", "torch", "scoring a PyTorch model")
        _refuse_engine(engine)
        torch_scoring = importlib.import_module("jouletree.torch.scoring")
        with torch_scoring.caller(model, output, engine["device"], engine["batch"]) as called:
            yield called
    elif _is_file(model):
        with _served(model, output, engine) as called:
            yield called
    elif isinstance(model, type) or not (callable(model) or hasattr(model, "predict")):
        raise _sources.unknown_model(model)
    else:
        _refuse_engine(engine)
        yield Called(_plain_call(model, output), _name_of(model), "Python")


def raised(error: Exception) -> BadInput:
    """What to raise in place of what the model raised."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return BadInput(f"the model raised {type(error).__name__} when it was run: {reason}")


def _refuse_engine(engine: Mapping[str, Any]) -> None:
    given = {
        "level": engine["level"] != "all",
        "execution": engine["execution"] != "sequential",
        "provider_options": bool(engine["provider_options"]),
        "values": bool(engine["values"]),
    }
    for name, is_given in given.items():
        if is_given:
            raise BadInput(f"{name} is for ONNX files, which ONNX Runtime runs")


def _is_file(model: Any) -> bool:
    is_path = isinstance(model, (str, os.PathLike))
    return (
        is_path
        or isinstance(model, (bytes, bytearray, memoryview, OnnxModel))
        or _sources.is_onnx_proto(model)
    )


def _name_of(model: Any) -> str:
    return str(getattr(model, "__name__", type(model).__name__))


def _plain_call(model: Any, output: str | int | None) -> Callable[[Any, int], Any]:
    """A function, or an estimator with probabilities or predictions."""
    function = model if callable(model) else getattr(model, "predict_proba", model.predict)

    def call(inputs: Any, _examples: int) -> Any:
        try:
            return chosen(_applied(function, inputs), output)
        except Error:
            raise
        except Exception as error:
            raise raised(error) from error

    return call


def _applied(function: Callable[..., Any], inputs: Any) -> Any:
    if isinstance(inputs, Mapping):
        return function(**inputs)
    return function(*inputs) if isinstance(inputs, tuple) else function(inputs)


def _keras_version() -> str:
    keras = sys.modules["keras"]
    return f"{keras.__version__} ({keras.backend.backend()})"


def _keras_call(model: Any, output: str | int | None) -> Callable[[Any, int], Any]:
    """Keras takes several inputs as one argument."""
    to_numpy = sys.modules["keras"].ops.convert_to_numpy

    def call(inputs: Any, _examples: int) -> Any:
        given = list(inputs) if isinstance(inputs, tuple) else inputs
        try:
            return to_numpy(chosen(model(given, training=False), output))
        except Error:
            raise
        except Exception as error:
            raise raised(error) from error

    return call


@contextlib.contextmanager
def _served(model: Any, output: str | int | None, engine: dict[str, Any]) -> Iterator[Called]:
    """A model file in its engine, which reads batches from files."""
    _engines.announce()
    settings = {**engine, "device": engine["device"] or "cpu"}
    with (
        model_file(model, 1) as path,
        tempfile.TemporaryDirectory(prefix="jouletree-") as scratch,
        naming_engine("scoring"),
    ):
        names = _core.input_names_of_file(path)
        if isinstance(output, int):
            raise BadInput("output: name the output of a model file")
        served = _core.ServedFile(path, output=output or "", **settings)

        def call(inputs: Any, examples: int) -> Any:
            files = _saved(inputs, names, scratch)
            data = [f"{name}={file}" for name, file in files.items()]
            with named({file: f"data[{name!r}]" for name, file in files.items()}):
                kind, shape, content = served.run(data, examples)
            if kind == "bfloat16":
                bits = np.frombuffer(content, dtype=np.uint16).astype(np.uint32) << 16
                return bits.view(np.float32).reshape(shape)
            return np.frombuffer(content, dtype=kind).reshape(shape)

        title = model if isinstance(model, str) else getattr(model, "name", "model")
        called = Called(call, Path(str(title)).name, served.engine, lambda: list(served.notes))
        called.fixed_batch = lambda: served.fixed_batch
        called.params = lambda: served.params
        yield called


def _saved(inputs: Any, names: list[str], folder: str) -> dict[str, str]:
    saved: dict[str, str] = {}
    for place, (name, one) in enumerate(by_name(inputs, lambda: names).items()):
        file = Path(folder) / f"input_{place}.npy"
        np.save(file, as_numpy(one, "the data"))
        saved[name] = str(file)
    return saved
