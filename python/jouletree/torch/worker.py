"""A process in which the program ``jouletree`` runs a model file: requests in, answers out.

    python worker.py

A message is its length in decimal, a line feed, and its bytes, which are JSON. The program measures
and counts; what runs models needs no extension module, so that any Python with PyTorch will do.
This file must be readable for old ones, too, which get an answer that says so.
"""

import importlib
import json
import os
import pathlib
import signal
import sys
import types
from typing import Any


def bare_package(name: str, folder: str) -> None:
    """A package whose modules can be imported, without what it imports itself: the extension
    module fits one version of Python only."""
    package = types.ModuleType(name)
    package.__path__ = [folder]
    sys.modules[name] = package


def end_with_parent() -> None:
    """Also where that is killed. Ctrl-C is for the program, which then ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        set_death_signal = 1
        importlib.import_module("ctypes").CDLL(None).prctl(set_death_signal, int(signal.SIGKILL))
    except Exception:
        return


def own_requests() -> Any:
    """Requests, which nobody else must read: functions of the user, and programs that they start,
    find standard input empty."""
    requests = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return requests


class Answers:
    """What is answered to each request, as JSON."""

    def __init__(self) -> None:
        self._runner: Any = None

    def to(self, request: bytes) -> bytes:
        try:
            asked = json.loads(request)
            return json.dumps({"answer": self._answer(asked["do"], asked["with"])}).encode()
        except Exception as error:
            kind = type(error).__name__
            if kind in ("BadInput", "Missing", "Failed", "Unfit"):
                is_missing = kind in ("Missing", "Unfit")
                return _error("missing" if is_missing else "bad_input", str(error))
            reasons = importlib.import_module("jouletree.torch.reasons")
            return _error("bad_input", f"{kind}: {reasons.reason_of(error)}")

    def _answer(self, method: str, arguments: Any) -> Any:
        if method == "hello":
            return importlib.import_module("jouletree.torch.oldest").torch_version()
        if self._runner is None:
            self._runner = importlib.import_module("jouletree.torch.file_runner").FileRunner()
        return self._runner.answer(method, arguments)


def _error(kind: str, text: str) -> bytes:
    return json.dumps({"error": {"kind": kind, "text": text}}).encode()


def main() -> None:
    end_with_parent()
    # Models print what they like; the answers must stay whole.
    answers = os.dup(1)
    os.dup2(2, 1)
    here = pathlib.Path(__file__).resolve().parent
    # Python put this folder there, whose modules would stand in for others of the same name.
    sys.path[:] = [folder for folder in sys.path if pathlib.Path(folder).resolve() != here]
    bare_package("jouletree", str(here.parent))
    bare_package("jouletree.torch", str(here))
    given = Answers()
    requests = own_requests()
    size = requests.readline()
    while size:
        answer = given.to(requests.read(int(size)))
        message = f"{len(answer)}\n".encode() + answer
        while message:
            message = message[os.write(answers, message) :]
        size = requests.readline()
    # PyTorch takes long to tidy up, and nobody needs it.
    os._exit(0)


if __name__ == "__main__":
    main()
