"""A fake machine whose energy counter advances, and the monitor that watches it."""

import os
import re
import subprocess
import threading
import urllib.request
from pathlib import Path


class FakeMachine:
    """A root folder with one CPU package, which uses 0.1 J every 10 ms or so while it runs."""

    def __init__(self, root):
        self.root = Path(root)
        zone = self.root / "sys/class/powercap/intel-rapl:0"
        zone.mkdir(parents=True)
        (zone / "name").write_text("package-0\n")
        (zone / "max_energy_range_uj").write_text("262143328850\n")
        self.counter = zone / "energy_uj"
        self.energy_uj = 5_000_000
        self.counter.write_text(self.text())
        (self.root / "proc").mkdir()
        (self.root / "proc/stat").write_text("cpu  10 0 0 10 0 0 0 0 0 0\ncpu0 10 0 0 10\n")
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def text(self):
        # Always as long, so that one write replaces all of it.
        return f"{self.energy_uj:015d}\n"

    def run(self):
        with open(self.counter, "r+b", buffering=0) as file:
            while not self.stopped.wait(0.01):
                self.energy_uj += 100_000
                os.pwrite(file.fileno(), self.text().encode(), 0)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()


class Monitor:
    """The monitor as a process; ends it when it is left."""

    def __init__(self, program, machine, *flags, listen="127.0.0.1:0"):
        command = [program, "monitor", "--sysroot", machine.root, "--source", "rapl"]
        self.process = subprocess.Popen(
            [*command, "--listen", listen, *flags], stderr=subprocess.PIPE, text=True
        )
        self.said = []
        self.address = None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"serving http://(\S+)/metrics", line):
                self.address = found[1]
                break
        assert self.address, f"the monitor did not start: {self.said}"
        host, port = self.address.rsplit(":", 1)
        self.place = (host.strip("[]"), int(port))

    def scrape(self, path="/metrics"):
        """Its metrics, as Prometheus gets them."""
        with urllib.request.urlopen(f"http://{self.address}{path}", timeout=30) as answer:
            kind = answer.headers["Content-Type"]
            assert kind == "text/plain; version=0.0.4; charset=utf-8", answer.headers
            return answer.read().decode()

    def stop(self, signal):
        self.process.send_signal(signal)
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()
