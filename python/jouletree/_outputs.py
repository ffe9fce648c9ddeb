"""Which of a model's outputs is meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jouletree.errors import BadInput


def chosen(returned: Any, output: str | int | None) -> Any:
    """One of several outputs: by name, by place, or the logits, or the first."""
    if isinstance(returned, Mapping):
        names = list(returned)
        wanted = output if output is not None else ("logits" if "logits" in names else names[0])
        if isinstance(wanted, int):
            wanted = names[wanted]
        if wanted not in returned:
            raise BadInput(f"the model returns no '{wanted}'; it returns: {', '.join(names)}")
        return returned[wanted]
    if isinstance(output, str) and hasattr(returned, output):
        return getattr(returned, output)
    if output is None and hasattr(returned, "logits"):
        return returned.logits
    if isinstance(returned, (tuple, list)):
        place = 0 if output is None else output
        if not isinstance(place, int) or not -len(returned) <= place < len(returned):
            raise BadInput(f"output is {output!r}: the model returns {len(returned)} by place")
        return returned[place]
    if output not in (None, 0):
        raise BadInput(f"output is {output!r}, but the model returns a single one")
    return returned
