"""Time and energy of a stretch of code, where meters are welcome but not needed."""

from __future__ import annotations

import time
from types import TracebackType

from jouletree import _core
from jouletree.errors import Missing


class Costs:
    """As a context manager, once.

    >>> with Costs("score") as costs:
    ...     evaluate()
    >>> costs.time_s, costs.window
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._window: int | None = None
        self._begin = 0.0
        self.time_s = 0.0
        #: What the meters counted; None without meters.
        self.window: _core.WindowResult | None = None
        self.notes: list[str] = []

    def __enter__(self) -> Costs:
        # The sampler is ended with the process by what this module does.
        import jouletree.measuring  # noqa: F401

        try:
            self._window = _core.begin_window(self._name)
        except Missing as error:
            self.notes.append(f"the energy is unknown: {error}")
        self._begin = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.time_s = time.perf_counter() - self._begin
        if self._window is None:
            return
        _core.end_window(self._window)
        if error is None:
            self.window = _core.window_result(self._window)
        else:
            _core.forget_window(self._window)
