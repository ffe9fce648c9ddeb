"""Times `jouletree inspect` and Python's onnx package in turns; see compare_inspect.sh.

Usage: compare_inspect.py JOULETREE MODEL.onnx...
"""

import os
import resource
import statistics
import sys
import tempfile
import time
from typing import NamedTuple

ROUNDS = 3
OURS_PER_ROUND = 7
STARTUP_RUNS = 21

# Small files of many operators take as long to count as large ones of few.
LEAST_RATIO = {"tv_vgg16": 200.0, "tv_vit_b_16": 300.0, "tv_swin_t": 100.0}
USUAL_RATIO = 100.0
MOST_MEMORY_MIB = 64.0
MOST_STARTUP_MS = 20.0

# Prints the seconds of the import and of the work, so that both views can be reported.
PEER = """
import sys, time
start = time.perf_counter()
import onnx
imported = time.perf_counter()
model = onnx.load(sys.argv[1])
onnx.shape_inference.infer_shapes(model)
print(imported - start, time.perf_counter() - imported)
"""


class Run(NamedTuple):
    seconds: float
    peak_mib: float
    output: str


def run(*command):
    """Runs a program to its end; wall time, peak resident memory and standard output of just it."""
    with tempfile.TemporaryFile() as output:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1)]
        start = time.perf_counter()
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            sys.exit(f"compare_inspect: exit code {code} from: {' '.join(command)}")
        output.seek(0)
        return Run(seconds, usage.ru_maxrss / 1024, output.read().decode())


def spread(seconds):
    """Median with the range, in milliseconds."""
    low, mid, high = (1e3 * f(seconds) for f in (min, statistics.median, max))
    return f"{mid:.1f} ms ({low:.1f} to {high:.1f}, n={len(seconds)})"


def row(*cells):
    print(f"{cells[0]:<32}{cells[1]:<36}{cells[2]:>10}{cells[3]:>14}")


class Gates:
    def __init__(self):
        self.failed = False

    def check(self, what, holds):
        print(f"{'ok    ' if holds else 'FAILED'}  {what}")
        self.failed |= not holds


def compare(jouletree, model, gates):
    with open(model, "rb") as file:  # both sides find the file in the page cache
        while file.read(1 << 18):
            pass
    ours, peers = [], []
    for _ in range(ROUNDS):
        ours += [run(jouletree, "inspect", model, "--format", "json") for _ in range(OURS_PER_ROUND)]
        peers.append(run(sys.executable, "-c", PEER, model))

    our_median = statistics.median(r.seconds for r in ours)
    our_peak = max(r.peak_mib for r in ours)
    peer_peak = max(r.peak_mib for r in peers)
    imports, works = zip(*(map(float, r.output.split()) for r in peers))

    print(f"\n{os.path.basename(model)} ({os.path.getsize(model) / 2**20:.0f} MiB)")
    row("", "median (range)", "ratio", "peak memory")
    row("jouletree, whole process", spread([r.seconds for r in ours]), "1", f"{our_peak:.1f} MiB")
    work_ratio = statistics.median(works) / our_median
    for name, seconds in (
        ("onnx, load + infer_shapes", works),
        ("onnx, with import", [a + b for a, b in zip(imports, works)]),
        ("onnx, whole process", [r.seconds for r in peers]),
    ):
        ratio = statistics.median(seconds) / our_median
        row(name, spread(seconds), f"{ratio:.0f}", f"{peer_peak:.1f} MiB")
    least = LEAST_RATIO.get(os.path.splitext(os.path.basename(model))[0], USUAL_RATIO)
    gates.check(f"load + infer_shapes takes {work_ratio:.0f} times as long, at least {least:.0f}",
                work_ratio >= least)
    gates.check(f"peak memory {our_peak:.1f} MiB, below {MOST_MEMORY_MIB:.0f}", our_peak < MOST_MEMORY_MIB)


def main():
    jouletree, *models = sys.argv[1:]
    gates = Gates()
    for model in models:
        compare(jouletree, model, gates)

    startups = [run(jouletree, "--help").seconds for _ in range(STARTUP_RUNS)]
    startup_ms = 1e3 * statistics.median(startups)
    print(f"\nstart-up (--help): {spread(startups)}")
    gates.check(f"start-up {startup_ms:.1f} ms, below {MOST_STARTUP_MS:.0f}", startup_ms < MOST_STARTUP_MS)

    # Linux starts a child's peak at its parent's, so nothing smaller than this script can be seen.
    own_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nA peak of about {own_mib:.0f} MiB may also be less: that is what this script itself takes.")
    return 1 if gates.failed else 0


if __name__ == "__main__":
    sys.exit(main())
