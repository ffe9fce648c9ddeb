#!/usr/bin/python3
"""Tables fit the terminal that they are shown on, and nothing is shortened elsewhere.

    terminal_width_test.py PROGRAM
"""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
import unittest

PROGRAM = sys.argv.pop()


def on_terminal(columns, *words, stream="stdout", **variables):
    """What the program prints on a terminal so wide."""
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    environment.update(variables)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
    process = subprocess.Popen([PROGRAM, *words], **streams, env=environment)
    os.close(theirs)
    printed = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    assert process.wait(timeout=60) == 0, printed
    return printed.decode().replace("\r\n", "\n")


def in_pipe(*words):
    return subprocess.run(
        [PROGRAM, *words], capture_output=True, text=True, check=True, timeout=60
    ).stdout


def width(line):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def table_lines(text):
    """The lines of the last table: its rule and the rows up to an empty line."""
    lines = text.split("\n")
    begin = max(i for i, line in enumerate(lines) if line.startswith("──"))
    end = next((i for i in range(begin, len(lines)) if not lines[i]), len(lines))
    return lines[begin - 1 : end]


class TerminalWidthTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.model = os.path.join(self.folder.name, "bert.onnx")
        in_pipe("zoo", "build", "bert-l2-h128", "--set", "vocabulary=100", "-o", self.model)
        self.command = ("inspect", self.model, "--by", "op", "--dim", "sequence=128")

    def tearDown(self):
        self.folder.cleanup()

    def test_a_table_fits_the_terminal(self):
        for columns in (90, 100, 120):
            lines = table_lines(on_terminal(columns, *self.command))
            self.assertLessEqual(max(map(width, lines)), columns)
            self.assertIn("…", "\n".join(lines))

    def test_columns_says_how_wide_the_terminal_is(self):
        lines = table_lines(on_terminal(300, *self.command, COLUMNS="95"))
        self.assertLessEqual(max(map(width, lines)), 95)
        self.assertGreater(max(map(width, lines)), 80)

    def test_a_wide_terminal_shows_what_a_pipe_gets(self):
        self.assertEqual(on_terminal(400, *self.command), in_pipe(*self.command))

    def test_a_pipe_is_not_shortened_whatever_columns_says(self):
        os.environ["COLUMNS"] = "40"
        try:
            self.assertNotIn("…", in_pipe(*self.command))
        finally:
            del os.environ["COLUMNS"]

    def test_numbers_are_never_cut(self):
        wide = table_lines(in_pipe(*self.command))
        for columns in (20, 50, 60, 80):
            narrow = table_lines(on_terminal(columns, *self.command))
            if columns < 50:  # too narrow for any table
                continue
            for short, whole in zip(narrow[2:], wide[2:], strict=True):
                for word in short.split():
                    if "…" not in word:
                        self.assertIn(word, whole.split())

    def test_names_can_be_told_apart_because_columns_are_left_out(self):
        command = ("inspect", "resnet-50", "--by", "op")
        wide = {line.split()[0] for line in table_lines(in_pipe(*command))[2:]}
        for columns in (50, 60, 70):
            lines = table_lines(on_terminal(columns, *command))
            self.assertIn("params", lines[0])
            self.assertNotIn("…", lines[0], "no title is cut")
            self.assertEqual(len({line.split()[0] for line in lines[2:]}), len(wide))

    def test_everything_fits_a_narrow_terminal(self):
        commands = (
            ("inspect", "resnet-18"),
            ("inspect", "gpt2", "--by", "type"),
            ("compare", "resnet-18", "resnet-50", "gpt2", "--by", "type"),
            ("metrics",),
            ("zoo", "list"),
        )
        for command in commands:
            for columns in (50, 60, 80):
                text = on_terminal(columns, *command)
                widest = max(text.split("\n"), key=width)
                self.assertLessEqual(width(widest), columns, f"{command}: {widest}")

    def recording(self):
        """Two seconds as AIPowerMeter writes them, with two cards and something that nobody knows."""
        folder = os.path.join(self.folder.name, "recording")
        os.mkdir(folder)
        metrics = {
            "cpu": {"intel_power": 50, "total_dram_power": None, "per_process_cpu_power": {"7": 10}},
            "gpu": {"per_gpu_nvidia_power": {"0": 120, "1": "N/A"}, "hbm_power": 3},
        }
        with open(os.path.join(folder, "power_metrics.json"), "w", encoding="utf-8") as file:
            for second in range(3):
                line = {"date": f"2026-03-10 12:00:0{second}", "metrics": metrics}
                file.write(json.dumps(line) + "\n")
        return folder

    def test_what_was_recorded_fits_a_narrow_terminal(self):
        folder = self.recording()
        for columns in (50, 60, 80):
            shown = on_terminal(columns, "show", folder)
            summary = on_terminal(columns, "run", "--", "sleep", "0.1", stream="stderr")
            for text in (shown, summary):
                widest = max(text.split("\n"), key=width)
                self.assertLessEqual(width(widest), columns, widest)
                self.assertIn("energy", text)

    def test_labels_are_never_cut(self):
        text = on_terminal(50, "compare", "resnet-18", "resnet-50")
        for word in ("Trainable", "parameters", "Peak", "activations", "Memory", "footprint"):
            self.assertIn(word, text)

    def test_sentences_go_on_at_a_word(self):
        sentence = "open dimensions counted as 1: batch (set them with --dim NAME=SIZE)."
        self.assertIn(sentence, in_pipe("inspect", "resnet-18"))
        narrow = on_terminal(50, "inspect", "resnet-18")
        self.assertNotIn(sentence, narrow)
        self.assertIn(sentence, " ".join(narrow.split()))

    def test_a_long_list_of_settings_is_wrapped(self):
        text = on_terminal(80, "zoo", "list")
        self.assertLessEqual(max(map(width, text.split("\n"))), 80)
        settings = [word for word in in_pipe("zoo", "list").split() if "=" in word]
        self.assertEqual([word for word in text.split() if "=" in word], settings)

    def test_a_terminal_without_a_width_shortens_nothing(self):
        self.assertEqual(on_terminal(0, *self.command), in_pipe(*self.command))


if __name__ == "__main__":
    unittest.main()
