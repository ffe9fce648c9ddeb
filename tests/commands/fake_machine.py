"""Folders that look like the root of a machine, for --sysroot."""

import threading
import time
from pathlib import Path

CPU_LINE = "cpu  100 0 100 1000 0 0 0 0 0 0\n"


class FakeMachine:
    """Files below a root; those of counters advance while the machine is entered."""

    def __init__(self, root):
        self.root = Path(root)
        self.counters = []
        self.write("proc/stat", CPU_LINE + "cpu0 100 0 100 1000 0 0 0 0 0 0\n")
        self.write("proc/cpuinfo", "model name\t: Fake CPU\nflags\t\t: fpu\n")
        self.write("proc/loadavg", "0.01 0.02 0.03 1/100 1000\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def add_rapl(self, folder, name, watts=None, mode=0o444):
        """A zone whose counter shows the energy of this power, or stands still."""
        base = f"sys/class/powercap/{folder}"
        self.write(f"{base}/name", name + "\n")
        self.write(f"{base}/max_energy_range_uj", "262143328850\n")
        counter = self.write(f"{base}/energy_uj", "1000000\n")
        counter.chmod(mode)
        if watts is not None:
            self.counters.append((counter, watts))

    def __enter__(self):
        self.begin = time.monotonic()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.advance)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()

    def advance(self):
        files = [(counter.open("r+b", buffering=0), watts) for counter, watts in self.counters]
        while not self.stopped.wait(0.004):
            passed_us = int((time.monotonic() - self.begin) * 1e6)
            for file, watts in files:
                file.seek(0)
                # Always as long, so that one write replaces all of it.
                file.write(b"%015d\n" % (1_000_000 + passed_us * watts))
        for file, _ in files:
            file.close()
