"""What importing the package costs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

HEAVY = (
    *("torch", "keras", "tensorflow", "numpy", "pandas", "onnx", "onnxruntime"),
    *("json", "asyncio", "html", "inspect"),
)


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = f"import jouletree, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    # Without the site's own modules, which may import whatever they like.
    path = f"import sys; sys.path[:] = {sys.path!r}; "

    done = subprocess.run(
        [sys.executable, "-S", "-c", path + code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    import jouletree

    assert set(jouletree.__all__) <= set(dir(jouletree))
    for name in jouletree.__all__:
        assert getattr(jouletree, name).__doc__


def test_missing_packages_are_named_with_the_command_that_installs_them() -> None:
    code = """
import sys
for name in ("numpy", "pandas", "tensorflow", "tf2onnx", "keras"):
    sys.modules[name] = None
import pathlib, tempfile
import jouletree as jt
file = pathlib.Path(tempfile.mkdtemp()) / "m.keras"
file.write_bytes(b"x")
for call in (
    lambda: jt.score(len, [[1.0]], [0]),
    lambda: jt.profile("bert-l2-h128", score=([[1.0]], [0], "top1")),
    lambda: jt.inspect("resnet-18").to_pandas(),
    lambda: jt.inspect(file),
):
    try:
        call()
    except jt.Missing as error:
        print(str(error).partition("pip install ")[2])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == ["numpy", "numpy", "pandas", "keras tensorflow tf2onnx"]


def test_wrong_calls_are_errors_of_the_package() -> None:
    import jouletree as jt

    def told(call: Callable[[], object]) -> str:
        with pytest.raises(jt.BadInput) as caught:
            call()
        return str(caught.value)

    assert "did you mean dims?" in told(lambda: jt.inspect("resnet-18", dim={"batch": 3}))  # type: ignore[call-arg]
    assert "did you mean budget?" in told(lambda: jt.profile("resnet-18", buget="5s"))
    assert "did you mean by_type?" in told(lambda: jt.compare("a", "b", bytype=True))  # type: ignore[call-arg]
    assert told(lambda: jt.sweep("bert-l2-h128")).startswith("folder: sweep needs this")  # type: ignore[call-arg]
    assert told(lambda: jt.score(len)).startswith("data: score needs this")  # type: ignore[call-arg]
    assert "takes 1" in told(lambda: jt.load("a", "b"))  # type: ignore[call-arg]


def test_errors_of_the_users_own_code_pass_through() -> None:
    from jouletree import _arguments, errors

    @_arguments.checked_call
    def called(given: object) -> None:
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        called(None)
    with pytest.raises(errors.BadInput, match="given: called needs this"):
        called()  # type: ignore[call-arg]
