"""What importing the package costs."""

from __future__ import annotations

import subprocess
import sys

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
