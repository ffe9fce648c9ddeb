"""What a measuring window costs: JouleTree beside Zeus and CodeCarbon, in one process and one run.

Each library is opened once, outside the clock, and used as its documentation shows it for many
small windows: `with jt.measure(...)`, ZeusMonitor.begin_window and end_window,
EmissionsTracker.start_task and stop_task. A window is empty, and its energy is read at once; "not
read" is what a program pays that reads its results later, because JouleTree waits for its meters
only then. Rounds of all libraries alternate, so that a busy machine disturbs all of them alike.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import logging
import pathlib
import tempfile
from collections.abc import Callable

from python_peers.timing import alternated, summary

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


def main(rounds: int) -> list[str]:
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stderr(io.StringIO()):
        windows = opened()
        numbers = itertools.count()
        jobs = {
            name: lambda window=window: window(next(numbers)) for name, window in windows.items()
        }
        seconds = alternated(jobs, rounds, WINDOWS_PER_ROUND)
    print(f"{'library':22} {'µs per window':>14} {'lowest':>10} {'highest':>10}")
    medians = {}
    for name, costs in seconds.items():
        median, lowest, highest = summary(costs, 1e-6)
        medians[name] = median
        print(f"{name:22} {median:14.1f} {lowest:10.1f} {highest:10.1f}")
    return [
        f"a window of jt.measure costs {medians['jouletree'] / median:.2f} times that of {name}"
        for name, median in medians.items()
        if not name.startswith("jouletree") and medians["jouletree"] > median
    ]
