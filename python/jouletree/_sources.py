"""Whatever a user calls a model, as something that the library can read."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jouletree import _core, _engines
from jouletree._inputs import by_name, input_settings, leaves_of
from jouletree._interrupts import held
from jouletree._onnx_model import OnnxModel
from jouletree.errors import BadInput, Missing


def counted(
    model: Any,
    x: Any = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
) -> _core.CountedModel:
    """Counts a model of any kind."""
    model = onnx_of_keras(model, x)
    if isinstance(model, OnnxModel):
        if kwargs is not None:
            raise BadInput("kwargs: only for live PyTorch models; what Keras gets stands in x")
        return _counted_bytes(model.content, model.name, model.x, dims, values)
    if is_torch(model):
        if dims or values:
            raise BadInput("dims and values are for model files; a PyTorch model gets its inputs")
        with held():
            inspection = importlib.import_module("jouletree.torch.inspection")
            recording = inspection.recorded(model, x, kwargs)
        return _core.inspect_run(recording, type(model).__name__)
    if kwargs is not None:
        raise BadInput("kwargs: only for live PyTorch models; the inputs of others stand in x")
    if isinstance(model, (str, os.PathLike)):
        return _counted_path(checked_path(model), x, dims, values)
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _counted_bytes(bytes(model), "model", x, dims, values)
    if is_onnx_proto(model):
        name = model.graph.name or "model"
        return _counted_bytes(model.SerializeToString(), name, x, dims, values)
    raise unknown_model(model)


def onnx_of_keras(model: Any, x: Any) -> Any:
    """A model, file or folder of Keras as an ONNX model; anything else as it is. Models of Keras
    on PyTorch are modules of PyTorch as well, so this comes first."""
    if is_keras(model):
        exporting = importlib.import_module("jouletree.keras.exporting")
        return exporting.exported(model, x)
    if is_keras_file(model):
        exporting = importlib.import_module("jouletree.keras.exporting")
        return exporting.exported_file(model, x)
    return model


def is_keras(model: Any) -> bool:
    """A model or a layer of Keras 3, without importing it: whoever has one has imported it."""
    layers = getattr(sys.modules.get("keras"), "layers", None)
    return layers is not None and isinstance(model, layers.Layer)


def is_keras_file(model: Any) -> bool:
    """A file of Keras, or the folder of a SavedModel."""
    if not isinstance(model, (str, os.PathLike)):
        return False
    path = Path(model)
    if path.suffix.lower() in (".keras", ".h5", ".hdf5"):
        return path.is_file()
    return (path / "saved_model.pb").is_file()


def unknown_model(model: Any) -> BadInput:
    """For objects that are no model of any kind."""
    if isinstance(model, type):
        return BadInput(f"{model.__name__} is a class: make an instance of it, and give that")
    return BadInput(
        f"a model of type {type(model).__name__} cannot be read; give the path or the bytes of an "
        "ONNX file or a program of torch.export, the path of a TorchScript file, an "
        "onnx.ModelProto, a PyTorch module, a Keras model or a name of the zoo"
    )


def checked_path(model: str | os.PathLike[str]) -> str:
    """An empty one is most often a variable that was never set."""
    path = os.fspath(model)
    if not path:
        raise BadInput("the path of the model is empty: give a file or a name of the zoo")
    return path


def is_zoo_name(model: Any) -> bool:
    """A name that is no file."""
    return isinstance(model, str) and not Path(model).exists() and model in _core.zoo_names()


def is_onnx_proto(model: Any) -> bool:
    """Without importing onnx: whoever has such an object has imported it."""
    onnx = sys.modules.get("onnx")
    return onnx is not None and isinstance(model, onnx.ModelProto)


def is_torch(model: Any) -> bool:
    """A module, scripted or not, or an exported program; without importing torch."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    if isinstance(model, torch.nn.Module):
        return True
    export = sys.modules.get("torch.export")
    return export is not None and isinstance(model, export.ExportedProgram)


def is_torch_file(model: Any) -> bool:
    """TorchScript, or a program of torch.export; without importing torch."""
    is_path = isinstance(model, (str, os.PathLike))
    return is_path and _core.is_torch_program(os.fspath(model))


def sized_inputs(path: str, x: Any, dims: Mapping[str, int]) -> Any:
    """``x`` with the inputs of a program of torch.export whose sizes ``dims`` name."""
    x = leaves_of(x)
    settings = input_settings(x, dims, None, lambda: _core.input_names_of_file(path))
    shapes = _core.input_shapes_of_file(path, **settings.arguments())
    given = by_name(x, lambda: _core.input_names_of_file(path))
    return {**{name: tuple(shape) for name, shape in shapes.items()}, **given}


def need(module: str, package: str, purpose: str) -> None:
    """Says with one sentence what to install where a module is missing."""
    if not _is_there(module):
        raise Missing(f"{purpose} needs {package}; install it with: pip install {package}")


def need_all(modules: Sequence[str], purpose: str) -> None:
    """As `need`, of several that are called as their packages are."""
    missing = [module for module in modules if not _is_there(module)]
    if len(missing) == 1:
        need(missing[0], missing[0], purpose)
    elif missing:
        listed = f"{', '.join(missing[:-1])} and {missing[-1]}"
        raise Missing(
            f"{purpose} needs {listed}; install them with: pip install {' '.join(missing)}"
        )


def _is_there(module: str) -> bool:
    """A module that is loaded may say nothing of where it came from."""
    if module in sys.modules:
        return sys.modules[module] is not None
    return importlib.util.find_spec(module) is not None


def _counted_path(
    path: str, x: Any, dims: Mapping[str, int] | None, values: Mapping[str, Any] | None
) -> _core.CountedModel:
    if is_zoo_name(path):
        settings = input_settings(x, dims, values, lambda: _core.input_names_of_zoo(path))
        return _core.inspect_zoo(path, **settings.arguments())
    if is_torch_file(path) and _core.is_exported_program(path):
        settings = input_settings(
            leaves_of(x), dims, values, lambda: _core.input_names_of_file(path)
        )
        return _core.inspect_file(path, **settings.arguments())
    if is_torch_file(path) and not _libtorch_can_count(x):
        need("torch", "torch", "a PyTorch file")
        if dims:
            raise BadInput(f"dims: {path} does not name its dimensions; give whole shapes in x")
        with held():
            files = importlib.import_module("jouletree.torch.file_profiling")
            recording = files.counted_file(path, x, values or {})
        return _core.inspect_recording(recording, Path(path).stem)
    _engines.announce()
    settings = input_settings(x, dims, values, lambda: _core.input_names_of_file(path))
    return _core.inspect_file(path, **settings.arguments())


def _libtorch_can_count(x: Any) -> bool:
    """LibTorch takes inputs by their names."""
    is_named = x is None or isinstance(x, Mapping)
    return is_named and _engines.has_libtorch()


def _counted_bytes(
    content: bytes,
    name: str,
    x: Any,
    dims: Mapping[str, int] | None,
    values: Mapping[str, Any] | None,
) -> _core.CountedModel:
    settings = input_settings(x, dims, values, lambda: _core.input_names_of_bytes(content))
    return _core.inspect_bytes(content, name, **settings.arguments())
