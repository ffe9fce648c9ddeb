"""Models in files, and the engine that runs them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jouletree import _core, _engines, _sources
from jouletree._names import called
from jouletree._onnx_model import OnnxModel
from jouletree.errors import Missing


@contextmanager
def model_file(model: Any, seed: int) -> Iterator[str]:
    """The model as a file, which is gone afterwards if it was made for this."""
    if isinstance(model, (str, os.PathLike)) and not _sources.is_zoo_name(model):
        yield _sources.checked_path(model)
        return
    with tempfile.TemporaryDirectory(prefix="jouletree-") as folder:
        if isinstance(model, str):
            path = Path(folder) / f"{model}.onnx"
            _core.build_zoo(model, str(path), seed)
        elif isinstance(model, OnnxModel):
            path = Path(folder) / model.file_name
            path.write_bytes(model.content)
        elif isinstance(model, (bytes, bytearray, memoryview)):
            path = Path(folder) / "model.onnx"
            path.write_bytes(bytes(model))
        elif _sources.is_onnx_proto(model):
            path = Path(folder) / "model.onnx"
            path.write_bytes(model.SerializeToString())
        else:
            raise _sources.unknown_model(model)
        with called({str(path): _name_of(model)}):
            yield str(path)


def lasting_name(model: Any) -> str | None:
    """What records call a model whose file is gone afterwards; nothing where the file stays."""
    if isinstance(model, (str, os.PathLike)):
        return f"zoo: {model}" if _sources.is_zoo_name(model) else None
    return _name_of(model)


def _name_of(model: Any) -> str:
    if isinstance(model, OnnxModel):
        return model.name
    return model if isinstance(model, str) else "the model"


@contextmanager
def naming_engine(work: str) -> Iterator[None]:
    """Says what to install where there is no ONNX Runtime."""
    try:
        yield
    except Missing:
        if _engines.onnx_runtime_folder() is None and not _core.has_onnx_runtime():
            raise Missing(
                f"{work} a model file needs ONNX Runtime; install it with: pip install onnxruntime"
            ) from None
        raise
