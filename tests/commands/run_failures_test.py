#!/usr/bin/python3
"""What can go wrong while jouletree run records: kills, full disks, nonsense from meters.

    run_failures_test.py PROGRAM [unittest arguments]
"""

import json
import os
import resource
import signal
from pathlib import Path

from recorded_run import (
    PATIENCE,
    SEGMENT_END,
    RunTest,
    lines_of,
    main,
    segments_of,
    summary_of,
    wait_for,
)

NOBODY = 65534


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

    def test_a_folder_that_holds_a_profile(self):
        self.out.mkdir()
        (self.out / "profile.json").write_text("{}")
        for flags in ([], ["--append"]):
            result = self.run_program("-o", str(self.out), *flags, "--", "echo", "ran")
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stdout, "")
            self.assertIn("holds a profile (profile.json)", result.stderr)
            self.assertIn("name another folder", result.stderr)
            self.assertEqual([path.name for path in self.out.iterdir()], ["profile.json"])

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
    main()
