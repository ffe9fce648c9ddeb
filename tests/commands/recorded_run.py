"""What the tests of jouletree run share: the program on a fake machine, and its recordings read again."""

import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from fake_machine import FakeMachine

PATIENCE = 60
SEGMENT_END = "END OF RECORDING SEGMENT"


def wait_for(condition, what):
    """Waits as long as it takes on a busy machine."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.01)


def entries_of(folder):
    return [json.loads(line) for line in (folder / "power_metrics.json").read_text().splitlines()]


def lines_of(folder):
    return [entry for entry in entries_of(folder) if entry != SEGMENT_END]


def segments_of(folder):
    """The runs of the lines, segment by segment, as AIPowerMeter tells segments apart."""
    segments = [[]]
    for entry in entries_of(folder):
        if entry == SEGMENT_END:
            segments.append([])
        else:
            segments[-1].append(entry["run"])
    return [set(segment) for segment in segments]


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


class RunTest(unittest.TestCase):
    program = ""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jouletree.")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.machine = FakeMachine(self.folder / "machine")
        self.out = self.folder / "out"

    def flags(self):
        """The fake machine, without the graphics cards of this one."""
        return ["--sysroot", str(self.machine.root), "--nvml", "/no/such/library"]

    def run_program(self, *words, **how):
        return subprocess.run(
            [self.program, "run", *self.flags(), *words],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            **how,
        )

    def start_program(self, *words, **how):
        process = subprocess.Popen(
            [self.program, "run", *self.flags(), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **how,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process


def main():
    """Runs the tests of the file that calls it with the program that its command line names first."""
    RunTest.program = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
