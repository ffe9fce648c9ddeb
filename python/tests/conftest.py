"""What the tests share."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Callable

import pytest

import jouletree as jt
from jouletree import _core

PROGRAM = pathlib.Path(jt.__file__).parent / "bin" / "jouletree"


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs the program of the package and returns what it prints."""

    def run(*arguments: object) -> str:
        words = [str(PROGRAM), *(str(argument) for argument in arguments)]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="session")
def spoken(command: Callable[..., str]) -> Callable[..., str]:
    """The same in Python's words, as results print it."""
    return lambda *arguments: _core.python_words(command(*arguments))


@pytest.fixture(scope="session")
def small_bert(tmp_path_factory: pytest.TempPathFactory, command: Callable[..., str]) -> str:
    """A model file with symbolic dimensions and several inputs."""
    file = tmp_path_factory.mktemp("models") / "small-bert.onnx"
    settings = ["layers=2", "width=64", "heads=2", "hidden=128", "vocabulary=500"]
    words = [word for setting in settings for word in ("--set", setting)]
    command("zoo", "build", "bert-base-uncased", *words, "-o", file)
    return str(file)
