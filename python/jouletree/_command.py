"""The command ``jouletree`` of the package: its program, which finds pip's ONNX Runtime and
PyTorch."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from jouletree._engines import PROGRAM, onnx_runtime_folder


def environment() -> dict[str, str]:
    """That of the program."""
    variables = dict(os.environ)
    found = onnx_runtime_folder()
    if found is not None:
        variables.setdefault("ONNXRUNTIME_ROOT", str(found))
    # The first Python that is asked for PyTorch, unless the user names another.
    variables.setdefault("JOULETREE_PACKAGE_PYTHON", sys.executable)
    return variables


def main() -> NoReturn:
    """Becomes the program."""
    os.execve(PROGRAM, ["jouletree", *sys.argv[1:]], environment())
