"""Alternating rounds, so that a busy machine disturbs all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping


def alternated(
    jobs: Mapping[str, Callable[[], object]], rounds: int, times: int = 1
) -> dict[str, list[float]]:
    """Seconds of one call in each round."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            begin = time.perf_counter()
            for _ in range(times):
                job()
            seconds[name].append((time.perf_counter() - begin) / times)
    return seconds


def summary(seconds: list[float], unit: float) -> tuple[float, float, float]:
    """Median, lowest and highest."""
    return statistics.median(seconds) / unit, min(seconds) / unit, max(seconds) / unit
