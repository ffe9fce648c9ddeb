"""Which PyTorch is new enough. Readable for old Pythons, too."""

import importlib
import importlib.util
import sys
from typing import Any

OLDEST_PYTHON = (3, 10)
OLDEST_TORCH = (2, 1)


class Unfit(Exception):
    """What is wrong with this Python; the sentence begins with its name."""


def torch_version() -> str:
    """Of the PyTorch that is there. Raises Unfit where it cannot be used."""
    if sys.version_info < OLDEST_PYTHON:
        raise Unfit(f"is Python {_joined(sys.version_info)}, but 3.10 or newer is needed")
    if importlib.util.find_spec("torch") is None:
        raise Unfit("has no PyTorch")
    try:
        version = str(importlib.import_module("torch").__version__).split("+")[0]
    except Exception as error:
        raise Unfit(f"has a PyTorch that cannot be imported ({error})") from error
    if _first_numbers(version) < OLDEST_TORCH:
        needed = _joined(OLDEST_TORCH)
        raise Unfit(f"has PyTorch {version}, but {needed} or newer is needed")
    return version


def _joined(version: Any) -> str:
    return ".".join(str(number) for number in version[:2])


def _first_numbers(version: str) -> Any:
    """(2, 13) of "2.13.0a0"."""
    parts = ["".join(filter(str.isdigit, part)) for part in version.split(".")]
    return tuple(int(part or 0) for part in parts[:2])
