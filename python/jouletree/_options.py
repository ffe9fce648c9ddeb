"""How results show in notebooks."""

from __future__ import annotations

import os

from jouletree import _arguments

_OFF = ("0", "off", "no", "false")


class Options:
    """Settings for all results of this process.

    >>> jouletree.options.frames = False
    """

    def __init__(self) -> None:
        self._frames: bool | None = None

    @property
    def frames(self) -> bool:
        """Whether results show in notebooks as the page of ``jouletree report``, in a frame; else
        as a small table. The environment variable ``JOULETREE_FRAMES=0`` switches it off, too."""
        if self._frames is not None:
            return self._frames
        return os.environ.get("JOULETREE_FRAMES", "").strip().lower() not in _OFF

    @frames.setter
    def frames(self, wanted: bool) -> None:
        self._frames = _arguments.truth("frames", wanted)

    def __repr__(self) -> str:
        return f"Options(frames={self.frames})"


options = Options()
