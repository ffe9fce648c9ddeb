"""Why a model failed, in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jouletree.errors import BadInput

if TYPE_CHECKING:
    from jouletree.torch.runs import TrainingStep

# TorchScript writes two stacks first; the reason stands behind the last of them.
_SCRIPT_REASON = re.compile(r"^(?:[\w.]*(?:Error|Exception)): (.+)$", re.MULTILINE)
# It asks for reports of bad messages; the reader cannot do anything about that.
_SIGNATURES = "but expected one of:"
_PLEA = "  (Could this error message be improved?"


def model_raised(error: BaseException, hint: str = "") -> BadInput:
    """What to raise in place of what the model raised, which is its cause."""
    return BadInput(
        f"the model raised {type(error).__name__} when it was run: {reason_of(error)}{hint}"
    )


def hint_at_inputs(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """What may be wrong with what a model was called with."""
    if not args and not kwargs:
        return "; give x, what the model is called with"
    if len(args) > 1 and not kwargs and all(type(one) is int for one in args):
        shape = ", ".join(map(str, args))
        return f"; x is a shape, but a live model is called with tensors: torch.randn({shape})"
    return hint_at_arrays([*args, *kwargs.values()])


def hint_at_arrays(given: Iterable[Any]) -> str:
    """NumPy's arrays are no tensors, and its numbers are more precise than those of most models."""
    for one in given:
        if type(one).__module__.partition(".")[0] == "numpy":
            return "; x is an array of NumPy, but a live model takes tensors: torch.from_numpy(x)"
        if str(getattr(one, "dtype", "")).endswith("float64"):
            return "; the input is float64: if the model is float32, convert it with .float()"
    return ""


def step_raised(
    error: BaseException, step: TrainingStep, hint: str = "", target: str = "target=…"
) -> BadInput:
    """The same for a training step, in which others than the model may raise. `target` is how
    users give one."""
    if step.reached == "forward":
        return model_raised(error, hint)
    who = {
        "loss": f"the loss function {_name_of(step.loss)} raised",
        "backward": "the backward pass of the loss raised",
    }.get(step.reached, f"the optimizer {type(step.optimizer).__name__} raised")
    lacks_target = step.reached == "loss" and step.target is None and isinstance(error, TypeError)
    hint = f"; give {target}, what it compares the model's output with" if lacks_target else ""
    return BadInput(f"{who} {type(error).__name__}: {reason_of(error)}{hint}")


def _name_of(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


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
    return _first_sentence(text) or type(error).__name__


def _first_sentence(text: str) -> str:
    """The first line, with what it announces: the line after a colon."""
    lines = [line.strip() for line in text.partition(_PLEA)[0].splitlines() if line.strip()]
    if not lines:
        return ""
    first = lines[0]
    if first.endswith(_SIGNATURES):  # They are many, and no help to who calls a module.
        return first.removesuffix(_SIGNATURES).rstrip(" ,")
    return f"{first} {lines[1]}" if first.endswith(":") and len(lines) > 1 else first
