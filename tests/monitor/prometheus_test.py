#!/usr/bin/python3
"""A real Prometheus server asks the monitor and sees a joule counter that grows.

    prometheus_test.py PROGRAM
"""

import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from watched_machine import FakeMachine, Monitor

SKIPPED = 77
COUNTER = "jouletree_energy_joules_total"
# Ends a test that will never succeed; a good one takes a few seconds.
LONGEST_WAIT_S = 90


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    def __init__(self, folder, target):
        config = {
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s"},
            "scrape_configs": [
                {"job_name": "jouletree", "static_configs": [{"targets": [target]}]}
            ],
        }
        file = Path(folder) / "prometheus.yml"
        file.write_text(json.dumps(config))  # JSON is YAML, too
        self.address = f"127.0.0.1:{free_port()}"
        self.log = open(Path(folder) / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={file}",
                f"--storage.tsdb.path={folder}/data",
                f"--web.listen-address={self.address}",
            ],
            stdout=self.log,
            stderr=self.log,
        )

    def ask(self, path, **parameters):
        """The answer of its HTTP interface; nothing while it is not ready."""
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return json.load(answer)["data"]
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if self.process.poll() is not None:
                sys.exit(f"Prometheus ended by itself:\n{self.all_it_said()}")
            return None

    def value_of(self, expression):
        data = self.ask("query", query=expression)
        return float(data["result"][0]["value"][1]) if data and data["result"] else None

    def all_it_said(self):
        self.log.seek(0)
        return self.log.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def wait_for(what, answer):
    """Asks until the answer is not None."""
    deadline = time.monotonic() + LONGEST_WAIT_S
    while time.monotonic() < deadline:
        found = answer()
        if found is not None:
            return found
        time.sleep(0.2)
    sys.exit(f"waited in vain for {what}")


def larger(value, least):
    return value if value is not None and value > least else None


def check_with_promtool(program, machine):
    """Its linter knows the rules for names, units, types and help."""
    metrics = subprocess.run(
        [program, "monitor", "--once", "--sysroot", machine.root, "--source", "rapl"]
        + ["--region", "DE", "--price", "0.3"],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    lint = subprocess.run(
        ["promtool", "check", "metrics"], input=metrics, capture_output=True, check=False, timeout=60
    )
    assert lint.returncode == 0 and not lint.stderr, lint


def check_scraped(server):
    package = f'{COUNTER}{{meter="rapl:package-0",provenance="measured"}}'
    first = wait_for("the counter", lambda: server.value_of(package))
    second = wait_for("more joules", lambda: larger(server.value_of(package), first))
    print(f"Prometheus saw {first} J, then {second} J")
    rate = f"rate({package}[1m])"
    watts = wait_for("a rate", lambda: server.value_of(rate))
    assert watts > 0, watts
    assert server.value_of(f"resets({package}[5m])") == 0, "the counter went backwards"
    assert server.value_of('up{job="jouletree"}') == 1
    metadata = server.ask("metadata", metric=COUNTER)[COUNTER][0]
    assert metadata["type"] == "counter" and metadata["help"], metadata


def main(program):
    if not shutil.which("prometheus"):
        print("there is no Prometheus server here; install the package prometheus")
        return SKIPPED
    with tempfile.TemporaryDirectory() as root, FakeMachine(root) as machine:
        check_with_promtool(program, machine)
        with tempfile.TemporaryDirectory() as folder:
            with Monitor(program, machine) as monitor:
                with Prometheus(folder, monitor.address) as server:
                    check_scraped(server)
                assert monitor.stop(signal.SIGTERM) == 0
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
