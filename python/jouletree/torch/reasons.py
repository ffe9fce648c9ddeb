"""Why a model failed, in one line."""

from __future__ import annotations

import re

from jouletree.errors import BadInput

# TorchScript writes two stacks first; the reason stands behind the last of them.
_SCRIPT_REASON = re.compile(r"^(?:[\w.]*(?:Error|Exception)): (.+)$", re.MULTILINE)
# It asks for reports of bad messages; the reader cannot do anything about that.
_PLEA = "  (Could this error message be improved?"


def model_raised(error: Exception, was_given: bool = True) -> BadInput:
    """What to raise in place of what the model raised, which is its cause."""
    hint = "" if was_given else "; give x, what the model is called with"
    return BadInput(
        f"the model raised {type(error).__name__} when it was run: {reason_of(error)}{hint}"
    )


def reason_of(error: BaseException) -> str:
    """The line of an exception's text that says what was wrong.

    >>> reason_of(RuntimeError("shapes cannot be multiplied (2x5 and 4x3)"))
    'shapes cannot be multiplied (2x5 and 4x3)'
    """
    text = str(error).strip()
    if "Traceback of TorchScript" in text:
        found = _SCRIPT_REASON.findall(text)
        if found:
            return str(found[-1]).partition(_PLEA)[0].strip()
    return text.partition("\n")[0].partition(_PLEA)[0].strip() or type(error).__name__
