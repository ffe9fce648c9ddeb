"""What frameworks say when something fails, in one sentence."""

from __future__ import annotations

import re

from jouletree.keras.layers import without_marks

_LONGEST = 300
#: Keras prints errors in bold.
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_ASSIGNMENT = re.compile(r"node (\S*Assign\w*VariableOp\S*)")


def first_sentence(error: BaseException) -> str:
    """The first line that says something, without the paths and frames that follow."""
    lines = [line.strip() for line in without_marks(_COLOURS.sub("", str(error))).splitlines()]
    said = [line for line in lines if line and not line.startswith(("Arguments received", "•"))]
    # TensorFlow and Keras put where it happened before what happened.
    skipped = ("in user code", "Exception encountered when calling", "File ")
    plain = [line for line in said if not line.startswith(skipped)]
    text = (plain or said or [type(error).__name__])[0]
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return text.rstrip(".")


def export_reason(error: BaseException) -> str:
    """Why an exporter fails."""
    text = first_sentence(error)
    found = _ASSIGNMENT.search(text)
    if found is None:
        return text
    return f"it sets a variable in each call ({found[1]}), and ONNX has no variables"
