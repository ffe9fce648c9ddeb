"""How much does `jouletree run` slow the command that it measures?

    run_slowdown.py PROGRAM [SECONDS]

The command does the same small piece of work over and over and times each. Meanwhile the program is
stopped and continued every quarter of a second, so that pieces with and without it stand side by
side: what a shared machine does to both cancels out. Fails if the slowdown is 0.5 % or more.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PERIOD_S = 0.25
SETTLE_S = 0.03
LIMIT = 1.005

WORK = """
import sys, time
pieces, end = [], time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    begin = time.monotonic()
    total = 0
    for i in range(20_000):
        total += i * i
    pieces.append((begin, time.monotonic() - begin))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.writelines(f"{begin} {lasted}\\n" for begin, lasted in pieces)
"""


def measure(program, seconds, folder):
    """Pieces of work and the moments at which the program was stopped and continued."""
    (folder / "work.py").write_text(WORK)
    command = [program, "run", "-o", folder / "out", "--", "/usr/bin/python3", folder / "work.py"]
    command += [folder / "pieces", seconds]
    changes, running = [], True
    with subprocess.Popen([str(word) for word in command], stderr=subprocess.DEVNULL) as process:
        time.sleep(1)
        end = time.monotonic() + seconds - 2
        while time.monotonic() < end:
            running = not running
            os.kill(process.pid, signal.SIGCONT if running else signal.SIGSTOP)
            changes.append((time.monotonic(), running))
            time.sleep(PERIOD_S)
        os.kill(process.pid, signal.SIGCONT)
    if process.returncode != 0:
        sys.exit(f"the command failed: {process.returncode}")
    lines = (folder / "pieces").read_text().splitlines()
    return [tuple(map(float, line.split())) for line in lines], changes


def ratios(pieces, changes):
    """Median piece of each period with the program, by those before and after it without."""
    periods = []
    for (begin, running), (end, _) in zip(changes, changes[1:]):
        lasted = [length for at, length in pieces if begin + SETTLE_S < at < end - SETTLE_S]
        if lasted:
            periods.append((running, statistics.median(lasted)))
    found = []
    for before, now, after in zip(periods, periods[1:], periods[2:]):
        if now[0] and not before[0] and not after[0]:
            found.append(now[1] / statistics.mean((before[1], after[1])))
    return found


def main(program, seconds=60):
    with tempfile.TemporaryDirectory() as folder:
        pieces, changes = measure(program, float(seconds), Path(folder))
    found = sorted(ratios(pieces, changes))
    if len(found) < 10:
        sys.exit("too few periods to compare")
    middle = statistics.median(found)
    # Bounds of the median by ranks, 95 %.
    reach = round(0.98 * len(found) ** 0.5)
    low, high = found[len(found) // 2 - reach], found[min(len(found) // 2 + reach, len(found) - 1)]
    print(f"with the program / without: {middle:.4f} ({low:.4f} to {high:.4f}), "
          f"{len(found)} periods, {len(pieces)} pieces of work")
    sys.exit(0 if middle < LIMIT else 1)


main(*sys.argv[1:])
