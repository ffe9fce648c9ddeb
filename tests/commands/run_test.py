#!/usr/bin/python3
"""jouletree run as users run it: its output, signals, exit codes and recordings.

    run_test.py PROGRAM [unittest arguments]
"""

import datetime
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from fake_machine import FakeMachine

PROGRAM = ""
PATIENCE = 60
NOBODY = 65534


def wait_for(condition, what):
    """Waits as long as it takes on a busy machine."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.01)


SEGMENT_END = "END OF RECORDING SEGMENT"


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


def integrated(folder, key):
    """Joules under the curve of a key of the CPUs, and the duration of each segment."""
    segments = [[]]
    for entry in entries_of(folder):
        if entry == SEGMENT_END:
            segments.append([])
        elif (watts := entry["metrics"]["cpu"].get(key)) is not None:
            at = datetime.datetime.fromisoformat(entry["date"]).timestamp()
            segments[-1].append((at, watts))
    joules = sum(
        (after[0] - before[0]) * (after[1] + before[1]) / 2
        for points in segments
        for before, after in zip(points, points[1:])
    )
    return joules, [points[-1][0] - points[0][0] for points in segments if points]


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


class RunTest(unittest.TestCase):
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
            [PROGRAM, "run", *self.flags(), *words],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            **how,
        )

    def start_program(self, *words, **how):
        process = subprocess.Popen(
            [PROGRAM, "run", *self.flags(), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **how,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process


class PassesOn(RunTest):
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
            os.execv(PROGRAM, [PROGRAM, "run", *self.flags(), *words])
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


class Records(RunTest):
    def test_energy_of_a_machine_with_counters(self):
        self.machine.add_rapl("intel-rapl:0", "package-0", watts=40)
        self.machine.add_rapl("intel-rapl:0:0", "core", watts=30)
        self.machine.add_rapl("intel-rapl:0:1", "dram", watts=5)
        with self.machine:
            result = self.run_program("-o", str(self.out), "--", "sleep", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        run = summary_of(self.out)["runs"][0]
        self.assertEqual(run["metrics"]["energy_j"]["provenance"], "measured")
        self.assertEqual(run["total"]["summed"], ["rapl:package-0", "rapl:package-0:dram"])
        power = run["metrics"]["energy_j"]["value"] / run["metrics"]["time_s"]["value"]
        self.assertTrue(30 < power < 60, power)
        self.assertNotIn("estimated", result.stderr)
        line = lines_of(self.out)[-2]
        self.assertEqual(set(line), {"date", "metrics", "run", "duration_s", "energy"})
        datetime.datetime.fromisoformat(line["date"])
        self.assertGreaterEqual(
            set(line["metrics"]["cpu"]), {"intel_power", "total_cpu_power", "total_dram_power"}
        )
        summed = sum(line["energy"]["total_j"] for line in lines_of(self.out))
        self.assertAlmostEqual(summed, run["metrics"]["energy_j"]["value"], delta=0.02 * summed)

    def test_an_estimate_says_so_in_one_line_and_never_poses_as_a_sensor(self):
        result = self.run_program("-q", "-o", str(self.out), "--", "sleep", "0.3")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("estimated", result.stderr)
        self.assertIn("jouletree doctor", result.stderr)
        run = summary_of(self.out)["runs"][0]
        self.assertEqual(run["metrics"]["energy_j"]["provenance"], "estimated")
        for line in lines_of(self.out):
            self.assertNotIn("intel_power", line["metrics"]["cpu"])

    def test_time_of_children_that_came_and_went(self):
        burn = "import time\nwhile time.process_time() < 0.1: pass\n"
        script = f"for i in 1 2 3; do {sys.executable} -c '{burn}'; done"
        self.run_program("-o", str(self.out), "--", "sh", "-c", script)
        cpu_time = summary_of(self.out)["runs"][0]["metrics"]["cpu_time_s"]["value"]
        self.assertGreaterEqual(cpu_time, 0.29)

    def test_appends_runs_with_their_sum(self):
        for _ in range(3):
            self.run_program("-o", str(self.out), "--append", "--", "sleep", "0.15")
        summary = summary_of(self.out)
        self.assertEqual([run["run"] for run in summary["runs"]], [1, 2, 3])
        parts = [run["metrics"]["energy_j"]["value"] for run in summary["runs"]]
        self.assertAlmostEqual(summary["metrics"]["energy_j"]["value"], sum(parts))
        self.assertEqual(segments_of(self.out), [{1}, {2}, {3}, set()])

    def test_is_integrated_segment_by_segment_as_aipowermeter_does(self):
        self.machine.add_rapl("intel-rapl:0", "package-0", watts=40)
        with self.machine:
            for _ in range(2):
                self.run_program("-o", str(self.out), "--append", "--", "sleep", "0.6")
                time.sleep(0.3)
        energy, duration = integrated(self.out, "intel_power")
        self.assertEqual(len(duration), 2)
        self.assertTrue(30 < energy / sum(duration) < 60, (energy, duration))
        first, second = summary_of(self.out)["runs"]
        for run, recorded in zip((first, second), duration, strict=True):
            self.assertLessEqual(recorded, run["metrics"]["time_s"]["value"])

    def test_does_not_overwrite_a_recording(self):
        self.run_program("-o", str(self.out), "--", "true")
        before = (self.out / "summary.json").read_bytes()
        result = self.run_program("-o", str(self.out), "--", "true")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--append", result.stderr)
        self.assertEqual((self.out / "summary.json").read_bytes(), before)

    def test_summary_as_json_in_a_file(self):
        file = self.folder / "s.json"
        result = self.run_program("--format", "json", "--summary", str(file), "--", "echo", "x")
        self.assertEqual(result.stdout, "x\n")
        self.assertEqual(json.loads(file.read_text())["runs"][0]["command"], ["echo", "x"])

    def test_a_summary_in_a_file_is_written_quietly(self):
        file = self.folder / "s.json"
        result = self.run_program("-q", "--format", "json", "--summary", str(file), "--", "true")
        self.assertNotIn("Energy", result.stderr)
        self.assertEqual(json.loads(file.read_text())["runs"][0]["exit_code"], 0)

    def test_energy_above_idle(self):
        self.machine.add_rapl("intel-rapl:0", "package-0", watts=40)
        with self.machine:
            self.run_program(
                "-o", str(self.out), "--baseline", "500ms", "--", "sleep", "0.5"
            )
        metrics = summary_of(self.out)["runs"][0]["metrics"]
        gross = metrics["energy_j"]["value"]
        self.assertLess(abs(metrics["energy_above_idle_j"]["value"]), 0.5 * gross)


class Measures(RunTest):
    def test_an_external_meter_that_writes_while_the_command_runs(self):
        file = self.folder / "plug.csv"
        file.write_text("time,watts\n")
        writer = (
            "import sys, time\n"
            "for i in range(30):\n"
            f"    open({str(file)!r}, 'a').write(f'{{time.time():.3f}},60\\n')\n"
            "    time.sleep(0.05)\n"
        )
        meter = subprocess.Popen([sys.executable, "-c", writer])
        wait_for(lambda: file.read_text().count("\n") > 3, "the meter writes")
        result = self.run_program("-o", str(self.out), "--external", str(file), "--", "sleep", "0.5")
        meter.wait(timeout=PATIENCE)
        self.assertEqual(result.returncode, 0, result.stderr)
        metrics = summary_of(self.out)["runs"][0]["metrics"]
        self.assertEqual(metrics["energy_j"]["provenance"], "measured")
        power = metrics["energy_j"]["value"] / metrics["time_s"]["value"]
        self.assertTrue(40 < power < 70, power)


    def plugs(self):
        """What an OmegaWatt wattmeter with three plugs wrote, around now."""
        now = time.time()
        rows = ["wattmetre-read 3", "#timestamp,#frame_is_ok,#U1," + ",".join(
            f"#current{plug},#activepow{plug}" for plug in (1, 2, 3)
        )]
        for i in range(-100, 3000):
            cells = "true,231.2,0.2,50,0.1,20,0.1,7" if i % 40 else "false,,,,,,,"
            rows.append(f"{now + i * 0.01:.6f},{cells}")
        file = self.folder / "plugs.csv"
        file.write_text("\n".join(rows) + "\n")
        return str(file)

    def measure(self, external):
        result = self.run_program("-o", str(self.out), "--external", external, "--", "sleep", "0.3")
        self.assertEqual(result.returncode, 0, result.stderr)
        return summary_of(self.out)["runs"][0]

    def test_one_plug_of_a_wattmeter(self):
        run = self.measure(self.plugs() + ":activepow2")
        self.assertEqual(run["total"]["summed"], ["external:plugs:activepow2"])
        self.assertAlmostEqual(run["metrics"]["power_w"]["value"], 20, delta=0.1)

    def test_several_plugs_of_a_wattmeter(self):
        run = self.measure(self.plugs() + ":activepow1,activepow3")
        self.assertEqual(len(run["domains"]), 2)
        self.assertAlmostEqual(run["metrics"]["power_w"]["value"], 57, delta=0.2)

    def refused(self, external):
        result = self.run_program("--external", external, "--", "echo", "ran")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def test_plugs_that_nobody_chose(self):
        complaint = self.refused(self.plugs())
        self.assertIn("plugs.csv:activepow1", complaint)
        self.assertIn("9 '#activepow3' (7)", complaint)
        self.assertIn("has no column 'activepow4'", self.refused(self.plugs() + ":activepow4"))
        self.assertIn("holds no watts", self.refused(self.plugs() + ":current1"))
        self.assertIn("name columns behind the colon", self.refused(self.plugs() + ":"))

    def smi(self, cells):
        """A log of nvidia-smi without titles, around now."""
        file = self.folder / "smi.csv"
        now = datetime.datetime.now()
        lines = []
        for i in range(-20, 300):
            at = now + datetime.timedelta(milliseconds=100 * i)
            lines += [f"{at:%Y/%m/%d %H:%M:%S}.{at.microsecond // 1000:03}, {cell}" for cell in cells]
        file.write_text("\n".join(lines) + "\n")
        return str(file)

    def test_a_log_of_nvidia_smi(self):
        run = self.measure(self.smi(["97 %, 60.50 W"]))
        self.assertAlmostEqual(run["metrics"]["power_w"]["value"], 60.5, delta=0.1)
        self.assertEqual(run["domains"][0]["level"], "gpu")

    def test_a_log_of_two_cards(self):
        run = self.measure(self.smi(["0, 60.50 W, 97 %", "1, 40.00 W, 97 %"]))
        self.assertAlmostEqual(run["metrics"]["power_w"]["value"], 100.5, delta=0.2)
        self.assertEqual([domain["name"][-5:] for domain in run["domains"]], ["gpu-0", "gpu-1"])

    def test_a_log_of_utilisation_asks_for_power(self):
        self.assertIn("no column holds watts", self.refused(self.smi(["97 %, 1024 MiB"])))
        self.assertIn("holds no watts", self.refused(self.smi(["97 %, 1024 MiB"]) + ":2"))

    def test_a_log_without_units_is_never_guessed(self):
        complaint = self.refused(self.smi(["97, 60.50"]))
        self.assertIn("2 '97', 3 '60.50'", complaint)
        run = self.measure(self.smi(["97, 60.50"]) + ":3")
        self.assertAlmostEqual(run["metrics"]["power_w"]["value"], 60.5, delta=0.1)


class Survives(RunTest):
    def test_being_killed(self):
        process = self.start_program("-o", str(self.out), "--", "sleep", "60")
        recorded = self.out / "power_metrics.json"
        wait_for(lambda: recorded.exists() and recorded.read_text().count("\n") > 2, "some lines")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        command = int(children.read_text().split()[0])
        process.kill()
        os.kill(command, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        known = sum(line["energy"]["total_j"] for line in lines_of(self.out))
        self.assertFalse((self.out / "summary.json").exists())

        self.run_program("-o", str(self.out), "--append", "--", "true")
        summary = summary_of(self.out)
        self.assertEqual([run["complete"] for run in summary["runs"]], [False, True])
        self.assertAlmostEqual(summary["runs"][0]["metrics"]["energy_j"]["value"], known)
        # The mark that the killed run could not write stands there all the same.
        self.assertEqual(segments_of(self.out), [{1}, {2}, set()])

    def test_a_line_that_was_cut_off(self):
        self.run_program("-o", str(self.out), "--", "sleep", "0.15")
        with (self.out / "power_metrics.json").open("a") as file:
            file.write('{"date":"2026-')
        self.run_program("-o", str(self.out), "--append", "--", "sleep", "0.15")
        lines = (self.out / "power_metrics.json").read_text().splitlines()
        whole = [line for line in lines if line != '{"date":"2026-']
        self.assertEqual(len(whole), len(lines) - 1)
        entries = [json.loads(line) for line in whole]
        runs = [entry["run"] for entry in entries if entry != SEGMENT_END]
        self.assertEqual(set(runs), {1, 2})
        self.assertEqual(len(entries) - len(runs), 2)

    def run_with_full_disk(self, script):
        """No file may grow beyond a few lines, which is how a full disk feels."""
        limit = 2000
        return self.run_program(
            "-o",
            str(self.out),
            "--interval",
            "20ms",
            "--",
            "sh",
            "-c",
            script,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )

    def test_a_full_disk(self):
        result = self.run_with_full_disk("sleep 0.5; echo done")
        self.assertEqual(result.stdout, "done\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("power_metrics.json: cannot be written: File too large", result.stderr)
        self.assertIn("lines of the recording are lost", result.stderr)
        self.assertIn("exit code 0", result.stderr)
        self.assertGreater(len(lines_of(self.out)), 0)

    def test_a_full_disk_and_a_command_that_fails(self):
        self.assertEqual(self.run_with_full_disk("sleep 0.5; exit 5").returncode, 5)

    def test_a_device_that_is_full(self):
        self.out.mkdir()
        (self.out / "power_metrics.json").symlink_to("/dev/full")
        result = self.run_program("-o", str(self.out), "--append", "--", "sleep", "0.15")
        self.assertEqual(result.returncode, 1)
        self.assertIn("No space left on device", result.stderr)
        self.assertEqual(len(summary_of(self.out)["runs"]), 1)

    def test_a_file_of_an_external_meter_that_makes_no_sense(self):
        file = self.folder / "meter.csv"
        file.write_text("some notes\nabout lunch\n")
        result = self.run_program("--external", str(file), "--", "echo", "ran")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        self.assertIn("meter.csv", result.stderr)
        self.assertIn("expected is 'time,watts'", result.stderr)

    def test_watts_of_the_machine_that_make_no_sense(self):
        file = self.folder / "machine.json"
        file.write_text('{"cpu_watts": {"idle": 50, "full": 10}}')
        result = self.run_program("--machine-file", str(file), "--", "echo", "ran")
        self.assertEqual(result.returncode, 2)
        self.assertIn("machine.json", result.stderr)

    def test_a_folder_that_cannot_be_made(self):
        (self.folder / "file").touch()
        result = self.run_program("-o", str(self.folder / "file" / "out"), "--", "echo", "ran")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        self.assertIn("cannot be made: Not a directory", result.stderr)

    def test_standard_error_that_nobody_reads(self):
        process = self.start_program("--", "sh", "-c", "sleep 0.5; exit 6")
        process.stderr.readline()  # that energy is estimated
        process.stderr.close()
        process.wait(timeout=PATIENCE)
        self.assertEqual(process.returncode, 6)

    def test_a_folder_that_may_not_be_written(self):
        self.folder.chmod(0o755)
        self.out.mkdir(mode=0o555)
        user = NOBODY if os.geteuid() == 0 else None  # root may write everywhere
        try:
            result = self.run_program("-o", str(self.out), "--", "echo", "ran", user=user)
        except PermissionError:
            self.skipTest("this program is in a folder that other users cannot reach")
        self.assertEqual(result.returncode, 2)
        self.assertIn("Permission denied", result.stderr)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
