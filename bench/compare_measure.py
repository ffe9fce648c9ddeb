#!/usr/bin/env python3
"""What a measuring window costs: JouleTree beside Zeus and CodeCarbon, in one process and one run.

    bench/compare_measure.sh [ROUNDS]

Each library is opened once, outside the clock, and used as its documentation shows it for many
small windows: `with jt.measure(...)`, ZeusMonitor.begin_window and end_window,
EmissionsTracker.start_task and stop_task. A window is empty, and its energy is read at once; "not
read" is what a program pays that reads its results later, because JouleTree waits for its meters
only then. Rounds of all libraries alternate, so that a busy machine disturbs all of them alike.
"""

from __future__ import annotations

import contextlib
import io
import logging
import pathlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

WINDOWS_PER_ROUND = 20

Window = Callable[[int], object]


def jouletree_windows() -> Window:
    import jouletree

    def window(number: int) -> object:
        with jouletree.measure(f"window {number}") as measured:
            pass
        return measured.energy.value

    return window


def jouletree_unread_windows() -> Window:
    import jouletree

    def window(number: int) -> object:
        with jouletree.measure(f"window {number}"):
            pass
        return None

    return window


def made_rapl() -> str:
    folder = pathlib.Path(tempfile.mkdtemp()) / "intel-rapl"
    package = folder / "intel-rapl:0"
    package.mkdir(parents=True)
    for name, text in (("name", "package-0"), ("energy_uj", "1"), ("max_energy_range_uj", "9")):
        (package / name).write_text(text + "\n")
    return str(folder)


def zeus_windows() -> Window:
    """Without RAPL it would measure nothing, so that it gets a folder that looks like it."""
    from zeus.device.cpu import rapl
    from zeus.monitor import ZeusMonitor

    if not pathlib.Path(rapl.RAPL_DIR).exists():
        rapl.RAPL_DIR = made_rapl()
    monitor = ZeusMonitor(gpu_indices=[])

    def window(number: int) -> object:
        monitor.begin_window(f"window {number}")
        return monitor.end_window(f"window {number}").total_energy

    return window


def codecarbon_windows() -> Window:
    from codecarbon import OfflineEmissionsTracker

    tracker = OfflineEmissionsTracker(
        country_iso_code="FRA", save_to_file=False, log_level="critical", measure_power_secs=3600
    )

    def window(number: int) -> object:
        tracker.start_task(f"window {number}")
        return tracker.stop_task(f"window {number}").energy_consumed

    return window


LIBRARIES = {
    "jouletree": jouletree_windows,
    "jouletree, not read": jouletree_unread_windows,
    "zeus": zeus_windows,
    "codecarbon": codecarbon_windows,
}


def opened() -> dict[str, Window]:
    windows = {}
    for name, open_library in LIBRARIES.items():
        try:
            window = open_library()
            window(-1)
            windows[name] = window
        except Exception as problem:
            print(f"{name}: left out: {type(problem).__name__}: {problem}")
    return windows


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stderr(io.StringIO()):
        windows = opened()
        costs_us: dict[str, list[float]] = {name: [] for name in windows}
        number = 0
        for _ in range(rounds):
            for name, window in windows.items():
                begin = time.perf_counter()
                for _ in range(WINDOWS_PER_ROUND):
                    number += 1
                    window(number)
                costs_us[name].append((time.perf_counter() - begin) / WINDOWS_PER_ROUND * 1e6)
    print(f"{'library':22} {'µs per window':>14} {'lowest':>10} {'highest':>10}")
    for name, costs in costs_us.items():
        median = statistics.median(costs)
        print(f"{name:22} {median:14.1f} {min(costs):10.1f} {max(costs):10.1f}")


if __name__ == "__main__":
    main()
