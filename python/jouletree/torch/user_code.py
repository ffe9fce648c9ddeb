"""Functions of the user by name, and where in the user's files something went wrong.

Example:
    >>> make = function_named("nets.small:Net.wide", "/home/me/plans")
    >>> try:
    ...     model = make(width=8)
    ... except Exception as error:
    ...     raise raised_in("nets.small:Net.wide", error, "/home/me/plans") from error
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import sys
import traceback
from pathlib import Path
from typing import Any

import torch

from jouletree.errors import BadInput
from jouletree.torch.reasons import reason_of

#: Lines of these help no user to find what is wrong.
_HELPERS = (Path(__file__).resolve().parent.parent, Path(torch.__file__).resolve().parent)
_INSTALLED = ("site-packages", "dist-packages")


def function_named(name: str, folder: str) -> Any:
    """What ``package.module:function`` means; modules in the folder come first."""
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module_name, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise raised_in(f"importing {module_name}", error, folder) from error
        raise BadInput(
            f"{name}: there is no module '{error.name}', neither in {folder} nor in "
            f"{sys.executable}"
        ) from error
    except BaseException as error:
        raise raised_in(f"importing {module_name}", error, folder) from error
    shown = module_name
    for part in path.split("."):
        if not hasattr(found, part):
            raise BadInput(f"{name}: {shown} has no '{part}'{_meant(part, found)}")
        found = getattr(found, part)
        shown += f".{part}"
    if not callable(found):
        raise BadInput(f"{name} is no function, but {type(found).__name__}")
    return found


def _meant(name: str, owner: Any) -> str:
    known = [one for one in dir(owner) if not one.startswith("_")]
    likely = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {likely[0]}?" if likely else ""


def raised_in(what: str, error: BaseException, folder: str) -> BadInput:
    """What to raise in the place of what the user's code raised, which is its cause."""
    return BadInput(f"{what} raised {type(error).__name__}: {told_with_place(error, folder)}")


def told_with_place(error: BaseException, folder: str) -> str:
    """The reason, and the line of the user's file that led to it."""
    reason = error.msg if isinstance(error, SyntaxError) else reason_of(error)
    return f"{reason}{shown_place(error, folder)}"


def shown_place(error: BaseException, folder: str) -> str:
    """`` (nets/small.py:12)``; empty where no line of Python is to blame."""
    place = _place_of(error, folder)
    if place is None:
        return ""
    file = Path(place[0])
    with contextlib.suppress(ValueError):
        file = file.resolve().relative_to(Path(folder).resolve())
    return f" ({file}:{place[1]})"


def _place_of(error: BaseException, folder: str) -> tuple[str, int] | None:
    """The innermost line in the user's own files, else in those of a package."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return error.filename, error.lineno or 0
    home = Path(folder).resolve()
    own = None
    others = None
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        is_file = not frame.filename.startswith("<")
        if not is_file or any(folder in file.resolve().parents for folder in _HELPERS):
            continue
        is_installed = any(part in _INSTALLED for part in file.parts)
        if home in file.resolve().parents and not is_installed:
            own = (frame.filename, frame.lineno or 0)
        elif "importlib" not in file.parts:
            others = (frame.filename, frame.lineno or 0)
    return own or others
