"""On Debian's own Python, whose PyTorch is older than what live models need."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import jouletree as jt

DEBIANS = "/usr/bin/python3"
PACKAGE = Path(jt.__file__).parent.parent


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [DEBIANS, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.fixture(scope="module", autouse=True)
def old_torch() -> str:
    asked = run("import sys, torch; print(*sys.version_info[:2], torch.__version__)")
    if asked.returncode != 0:
        pytest.skip(f"{DEBIANS} has no PyTorch: apt-get install python3-torch")
    major, minor, version = asked.stdout.split()
    if (int(major), int(minor)) != sys.version_info[:2]:
        pytest.skip(f"{DEBIANS} is Python {major}.{minor}, for which the package was not built")
    if not version.startswith("1."):
        pytest.skip(f"{DEBIANS} has PyTorch {version}, which is no old one")
    return version


def test_all_that_needs_no_live_model_works() -> None:
    result = run(
        """
        import torch
        import jouletree as jt
        print(jt.inspect("resnet-18").metrics["macs"].value)
        model = torch.nn.Linear(64, 64)
        with jt.measure("forward") as forward:
            model(torch.rand(8, 64))
        print(forward.energy > 0, forward.time > 0)
        print(jt.compare("resnet-18", "resnet-34").ratios("params"))
        """
    )
    assert result.returncode == 0, result.stderr
    macs, measured, ratios = result.stdout.splitlines()
    assert (macs, measured) == ("1814073344", "True True")
    assert "resnet-34" in ratios


@pytest.mark.parametrize(
    "call",
    [
        "jt.inspect(model, x)",
        "jt.profile(model, x)",
        "jt.profile(model, x, mode='train', loss=torch.sum)",
        "jt.profile(torch.jit.trace(model, x), x)",
        "__import__('jouletree.torch')",
        "jt.compare(model, model)",
        "jt.profile('traced.pt', x)",
        "jt.inspect('traced.pt', x)",
    ],
)
def test_what_needs_a_newer_one_is_one_sentence(call: str, old_torch: str, tmp_path: Path) -> None:
    result = run(
        f"""
        import os
        import torch
        import jouletree as jt
        os.chdir({str(tmp_path)!r})
        model, x = torch.nn.Linear(4, 4), torch.rand(2, 4)
        torch.jit.trace(model, x).save("traced.pt")
        try:
            {call}
        except jt.Missing as error:
            print(error)
        """
    )
    assert result.returncode == 0, result.stderr
    assert f"has PyTorch {old_torch}, but 2.1 or newer is needed" in result.stdout
    assert "pip install --upgrade torch" in result.stdout
