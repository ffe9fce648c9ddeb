#!/usr/bin/python3
"""Kills commands that write, at random moments, and looks at what they leave behind.

Usage: kill_test.py PROGRAM TREE_FILE [KILLS_PER_COMMAND]

A result that stood there before must still be whole, or the new one must be; a half-written one
must never stand under the name of a result.
"""
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time


class Case:
    """One command that writes to `target`, and the command that reads it again."""

    def __init__(self, name, write, read, target):
        self.name, self.write, self.read, self.target = name, write, read, target

    def start(self):
        return subprocess.Popen(self.write, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                start_new_session=True)

    def is_whole(self):
        """Whether the reader takes what stands there; None where nothing does."""
        if not self.target.exists():
            return None
        result = subprocess.run(self.read, capture_output=True, text=True, check=False)
        return result.returncode == 0


def cases(program, tree_file, folder):
    model = folder / "model.onnx"
    predictor = folder / "predictor.json"
    recording = folder / "recording"
    profile = folder / "profile"
    small = folder / "small.onnx"
    subprocess.run([program, "zoo", "build", "bert-l2-h128", "-o", small], check=True,
                   capture_output=True)
    yield Case("zoo build", [program, "zoo", "build", "bert-l4-h256", "--replace", "-o", model],
               [program, "inspect", model], model)
    yield Case("train", [program, "train", tree_file, "-o", predictor],
               [program, "predict", predictor, tree_file], predictor)
    yield Case("run --append", [program, "run", "--append", "-o", recording, "--", "sleep", "0.3"],
               [program, "show", recording], recording)
    yield Case("profile --replace",
               [program, "profile", small, "--budget", "2s", "--replace", "-o", profile],
               [program, "show", profile], profile)


def check(case, kills, chance):
    began = time.monotonic()
    assert case.start().wait() == 0, f"{case.name} fails without being killed"
    usual = time.monotonic() - began
    assert case.is_whole(), f"{case.name}: its own reader refuses the result"
    for kill in range(kills):
        process = case.start()
        time.sleep(chance.uniform(0, usual))
        process.send_signal(signal.SIGKILL)
        process.wait()
        whole = case.is_whole()
        assert whole is not None, f"{case.name}, kill {kill}: the older result is gone"
        assert whole, f"{case.name}, kill {kill}: a result that cannot be read"
    assert case.start().wait() == 0, f"{case.name} no longer works after {kills} kills"
    print(f"{case.name}: {kills} kills within {usual:.2f} s each, always whole")


def main():
    program, tree_file = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 25
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(program, tree_file, pathlib.Path(folder)):
            check(case, kills, chance)


if __name__ == "__main__":
    main()
