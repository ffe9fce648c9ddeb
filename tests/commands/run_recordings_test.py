#!/usr/bin/python3
"""What jouletree run records: energy, children, several runs in one folder, summaries.

    run_recordings_test.py PROGRAM [unittest arguments]
"""

import datetime
import json
import sys
import time

from recorded_run import SEGMENT_END, RunTest, entries_of, lines_of, main, segments_of, summary_of


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
        above = metrics["energy_above_idle_j"]
        self.assertIsNone(above["value"], "the command only slept")
        self.assertIn("cannot be told from idle power", above["reason"])


if __name__ == "__main__":
    main()
