"""Runs commands under strace, which kills them at a system call or lets the call fail."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass

import writers

# Those that change what is on a disk. Not every machine has them all, hence the "?".
CHANGING = (
    "write pwrite64 writev pwritev pwritev2 copy_file_range sendfile fallocate ftruncate truncate "
    "fsync fdatasync openat open creat rename renameat renameat2 link linkat symlink symlinkat "
    "unlink unlinkat mkdir mkdirat rmdir fchmod chmod fchmodat"
).split()
OPENING = ("open", "openat", "creat")
OPENS_FOR_WRITING = re.compile(r"O_(WRONLY|RDWR|CREAT|TMPFILE)")
LINE = re.compile(r"^(?:(\d+) +)?(\w+)\((.*)$")


@dataclass
class Call:
    name: str
    count: int  # Which of its name it is, from 1, among all of the main thread.
    text: str
    on_target: bool
    thread: str  # Empty where only one is traced.


@dataclass(frozen=True)
class Point:
    """One of the calls that change the target."""

    name: str
    number: int  # Which of its name it is, from 1, among those that change the target.
    place: int  # Among all that change the target, from 0.
    text: str


@dataclass
class Traced:
    code: int  # Negative: the signal.
    out: str
    err: str
    calls: list

    def on_target(self):
        return [call for call in self.calls if call.on_target]


def reason_to_skip():
    """Why nothing can be traced here; empty where it can."""
    if shutil.which("strace") is None:
        return "strace is not installed (Debian: apt install strace)"
    tried = subprocess.run(
        ["strace", "-o", "/dev/null", "-e", "inject=?fsync:error=EIO", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode == 0:
        return ""
    return f"processes may not be traced here: {tried.stderr.strip().splitlines()[-1]}"


def calls_in(log, target):
    counts = {}
    calls = []
    for line in log.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        thread, name, text = match.groups()
        counts[name] = counts.get(name, 0) + 1
        on_target = str(target) in text and (
            name not in OPENING or bool(OPENS_FOR_WRITING.search(text))
        )
        calls.append(Call(name, counts[name], text, on_target, thread or ""))
    return calls


def trace(command, target, fault=None, everyone=False):
    """`fault` is (name, count, what), as in ("rename", 3, "signal=SIGKILL"). Only the main thread
    is traced, or `everyone`."""
    with tempfile.NamedTemporaryFile("r", errors="replace") as log:
        words = ["strace", "-qq", "-y", "-s", "0", "-o", log.name, "-e", "signal=none"]
        words += ["-e", "trace=" + ",".join("?" + name for name in CHANGING)]
        if everyone:
            words += ["-f", "--seccomp-bpf"]
        if fault:
            name, count, what = fault
            words += ["-e", f"inject={name}:{what}:when={count}"]
        with subprocess.Popen(
            [*words, *(str(word) for word in command)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            env=writers.environment(),
        ) as process:
            try:
                out, err = process.communicate(timeout=writers.PATIENCE)
            finally:
                # Workers, and a command that was recorded, outlive a killed program for a moment.
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        return Traced(process.returncode, out, err, calls_in(log.read(), target))


class TracedWriter:
    """A writer (writers.py), and the calls with which it changes its target."""

    def __init__(self, writer):
        self.writer = writer
        writer.restore()
        self.usual = trace(writer.command(), writer.folder)
        assert self.usual.code == 0, f"fails without any fault: {self.usual.err}"
        assert writer.state() == "new", "its own reader finds nothing"
        self.points = []
        numbers = {}
        for place, call in enumerate(self.usual.on_target()):
            numbers[call.name] = numbers.get(call.name, 0) + 1
            self.points.append(Point(call.name, numbers[call.name], place, call.text))
        self.check_that_nobody_else_writes()

    def check_that_nobody_else_writes(self):
        self.writer.restore()
        everyone = trace(self.writer.command(), self.writer.folder, everyone=True)
        main_thread = everyone.calls[0].thread
        others = [call for call in everyone.on_target() if call.thread != main_thread]
        assert not others, f"not only the main thread writes: {others[0].text}"

    def count_now(self, point):
        """Which of its name the call is just now. Some calls of a command depend on its timing."""
        called = [call for call in self.usual.on_target() if call.name == point.name]
        return called[point.number - 1].count if len(called) >= point.number else None

    def hit(self, point, what, tries=8):
        """Runs the command until the fault hits this call; None where that never happens."""
        for _ in range(tries):
            count = self.count_now(point)
            if count is None:
                return None
            self.writer.restore()
            traced = trace(self.writer.command(), self.writer.folder, (point.name, count, what))
            hit = [call for call in traced.calls if (call.name, call.count) == (point.name, count)]
            number = sum(call.name == point.name for call in traced.on_target() if call.count <= count)
            if hit and hit[0].on_target and number == point.number:
                return traced
            self.writer.restore()
            self.usual = trace(self.writer.command(), self.writer.folder)
        return None

