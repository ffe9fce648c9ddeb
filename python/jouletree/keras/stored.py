"""What can be said of a file of Keras before it is loaded."""

from __future__ import annotations

import importlib
import importlib.util
import os
import zipfile
from pathlib import Path
from typing import Any

from jouletree.errors import BadInput

_HDF5_START = b"\x89HDF"


def check_stored(path: str | os.PathLike[str]) -> None:
    """Throws BadInput for a file that is damaged or holds no model."""
    called = os.fspath(path)
    if Path(path).is_dir():
        return
    with Path(path).open("rb") as file:
        start = file.read(len(_HDF5_START))
    if start == _HDF5_START:
        _check_hdf5(called)
    elif start[:2] == b"PK" or Path(path).suffix.lower() == ".keras":
        _check_archive(called)


def _check_archive(called: str) -> None:
    try:
        with zipfile.ZipFile(called) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise BadInput(
            f"{called} cannot be loaded: the file is damaged or not whole (a .keras file is a zip "
            "archive, this is none); save or download it again"
        ) from error
    if "config.json" not in names:
        raise BadInput(
            f"{called} cannot be loaded: it is a zip archive without config.json, which describes "
            "the model; save it again with model.save"
        )


def _check_hdf5(called: str) -> None:
    if importlib.util.find_spec("h5py") is None:
        return
    h5py: Any = importlib.import_module("h5py")
    try:
        with h5py.File(called, "r") as file:
            has_model = "model_config" in file.attrs
    except OSError as error:
        raise BadInput(
            f"{called} cannot be loaded: the file is damaged or not whole; save or download it "
            "again"
        ) from error
    if not has_model:
        raise BadInput(
            f"{called} cannot be loaded: it holds weights only, not the model that they belong to; "
            "make the model, load them with model.load_weights, and give the model itself"
        )
