"""Imported before all that needs a newer PyTorch."""

from __future__ import annotations

import sys

from jouletree.errors import Missing
from jouletree.torch.oldest import Unfit, torch_version

try:
    TORCH_VERSION = torch_version()
except Unfit as problem:
    raise Missing(
        f"PyTorch models cannot be counted or measured: {sys.executable} {problem}; install it "
        "with: pip install --upgrade torch"
    ) from None
