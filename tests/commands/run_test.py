#!/usr/bin/python3
"""jouletree run as users run it: output, signals and exit codes of the command, and what a terminal shows.

    run_test.py PROGRAM [unittest arguments]
"""

import os
import pty
import signal
import sys
from pathlib import Path

from recorded_run import PATIENCE, RunTest, main, summary_of, wait_for


class PassesOn(RunTest):
    def test_a_share_of_few_ticks_is_unknown(self):
        self.run_program("-o", str(self.out), "--", "true")
        metrics = summary_of(self.out)["runs"][0]["metrics"]
        share = metrics["cpu_share"]["value"]
        # A machine that stood still meanwhile had its ticks.
        self.assertTrue(share is None or metrics["cpu_time_s"]["value"] / share >= 0.05, share)

    def test_input_and_output_untouched(self):
        result = self.run_program("--", "cat", input="one\ntwo")
        self.assertEqual(result.stdout, "one\ntwo")
        self.assertEqual(result.returncode, 0)

    def test_arguments_as_they_are(self):
        result = self.run_program("--", "printf", "<%s>", "", "[a,b]", "{c}", "-q", "--", "zoo")
        self.assertEqual(result.stdout, "<><[a,b]><{c}><-q><--><zoo>")

    def test_exit_code(self):
        self.assertEqual(self.run_program("--", "sh", "-c", "exit 77").returncode, 77)

    def test_death_by_a_signal(self):
        result = self.run_program("--", "sh", "-c", "kill -9 $$")
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertIn("by signal 9", result.stderr)

    def test_signals_that_this_program_ignores_are_not_ignored_by_the_command(self):
        status = self.run_program("--", "grep", "SigIgn", "/proc/self/status").stdout
        ignored = int(status.split()[1], 16)
        self.assertFalse(ignored & (1 << (signal.SIGXFSZ - 1)), status)

    def test_blocked_signals_of_the_command_are_those_of_the_caller(self):
        status = self.run_program("--", "grep", "SigBlk", "/proc/self/status").stdout
        self.assertEqual(int(status.split()[1], 16), 0)

    def check_signal(self, number):
        ready = self.folder / "ready"
        script = (
            "import signal, time, sys, pathlib\n"
            f"signal.signal({int(number)}, lambda *_: sys.exit(42))\n"
            f"pathlib.Path({str(ready)!r}).touch()\n"
            "while True: time.sleep(0.01)\n"
        )
        process = self.start_program("-o", str(self.out), "--", sys.executable, "-c", script)
        wait_for(ready.exists, "the command starts")
        process.send_signal(number)
        _, complaints = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 42, complaints)
        self.assertIn("exit code 42", complaints)
        self.assertEqual(summary_of(self.out)["runs"][0]["exit_code"], 42)

    def test_sigterm(self):
        self.check_signal(signal.SIGTERM)

    def test_sigint(self):
        self.check_signal(signal.SIGINT)

    def test_sighup(self):
        self.check_signal(signal.SIGHUP)

    def test_stop_and_continue(self):
        pid_file = self.folder / "pid"
        # A group of its own, because the kernel discards stop signals in one that has lost its parent,
        # as that of a test run in the background may have.
        process = self.start_program(
            "--",
            "sh",
            "-c",
            f"echo $$ > {pid_file}.new; mv {pid_file}.new {pid_file}; exec sleep 60",
            process_group=0,
        )
        wait_for(pid_file.exists, "the command starts")
        command = int(pid_file.read_text())

        def state(pid):
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]

        process.send_signal(signal.SIGTSTP)
        wait_for(lambda: state(command) == "T", "the command stops")
        wait_for(lambda: state(process.pid) == "T", "the program stops with it")
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: state(command) != "T", "the command goes on")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)


class OnATerminal(RunTest):
    def run_on_terminal(self, words, act):
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "xterm"
            os.execv(self.program, [self.program, "run", *self.flags(), *words])
        text = b""
        try:
            while part := os.read(terminal, 4096):
                text += part
                act(terminal, text)
        except OSError:
            pass  # how the end of a terminal shows itself
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        return text.decode(), os.waitstatus_to_exitcode(status)

    def test_shows_progress_while_the_command_is_silent(self):
        text, code = self.run_on_terminal(["-q", "--", "sleep", "2.5"], lambda *_: None)
        self.assertEqual(code, 0)
        self.assertRegex(text, r"1 s  [0-9.]+ m?J")

    def test_control_c_reaches_the_command_once(self):
        script = (
            "import signal, time\n"
            "count = []\n"
            "signal.signal(signal.SIGINT, lambda *_: count.append(1))\n"
            "print('ready', flush=True)\n"
            "while not count: time.sleep(0.01)\n"
            "time.sleep(0.5)\n"
            "print('interrupts:', len(count), flush=True)\n"
        )
        pressed = []

        def press(terminal, text):
            if b"ready" in text and not pressed:
                pressed.append(os.write(terminal, b"\x03"))

        text, code = self.run_on_terminal(["--", sys.executable, "-c", script], press)
        self.assertIn("interrupts: 1", text)
        self.assertEqual(code, 0)
        self.assertIn("exit code 0", text)


if __name__ == "__main__":
    main()
