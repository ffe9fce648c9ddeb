#!/usr/bin/python3
"""jouletree show on recordings of JouleTree and AIPowerMeter.

    show_test.py PROGRAM [unittest arguments]
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM = ""


def foreign_line(second, cpu, gpu=None):
    """A line as AIPowerMeter writes it."""
    metrics = {"cpu": cpu}
    if gpu:
        metrics["gpu"] = gpu
    return json.dumps({"date": f"2021-11-18 10:11:{second:02}.500000", "metrics": metrics})


class ShowTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jouletree.")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def show(self, *words):
        return subprocess.run(
            [PROGRAM, "show", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def write_foreign(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            foreign_line(
                second,
                {
                    "intel_power": 20.0 + second,
                    "psys_power": -1,
                    "uncore_power": [0.5],
                    "per_process_mem_use_abs": {"77": 3 << 20, "78": 1 << 20},
                },
                {
                    "nvidia_draw_absolute": 100.0,
                    "per_gpu_power_draw": {"0": 60.0, "1": 40.0},
                    "per_gpu_attributable_mem_use": {"0": {"77": 2 << 20}},
                    "per_gpu_absolute_percent_usage": {"0": 0.9},
                },
            )
            for second in range(0, 20, 2)
        ]
        lines.append(json.dumps("END OF RECORDING SEGMENT"))
        (folder / "power_metrics.json").write_text("\n".join(lines) + "\n")
        return folder

    def test_a_folder_of_aipowermeter(self):
        folder = self.write_foreign(self.folder / "run_1")
        result = self.show(folder, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        run = json.loads(result.stdout)["runs"][0]
        self.assertEqual(run["metrics"]["time_s"]["value"], 18)
        self.assertAlmostEqual(run["metrics"]["energy_j"]["value"], 18 * (20 + 9 + 100))
        self.assertEqual(run["total"]["summed"], ["intel_power", "gpu-0", "gpu-1"])
        names = [domain["name"] for domain in run["domains"]]
        self.assertEqual(names, ["intel_power", "uncore_power", "gpu-0", "gpu-1"])
        self.assertEqual(run["metrics"]["peak_pss_bytes"]["value"], 4 << 20)

    def write_new(self, folder, gpu=None, cpu=None):
        """A recording with the keys that AIPowerMeter has since March 2026."""
        folder.mkdir(parents=True, exist_ok=True)
        card = gpu or {
            "nvidia_power": 100.0,
            "per_gpu_nvidia_power": {"0": 60.0, "1": 40.0},
            "per_gpu_nvidia_memory": {"0": 2 << 30, "1": 1 << 30},
            "per_gpu_nvidia_use_rate": {"0": 90, "1": 50},
        }
        lines = [
            foreign_line(second, cpu or {"intel_power": 30.0, "psys_power": -1}, card)
            for second in range(0, 20, 2)
        ]
        lines.append(json.dumps("END OF RECORDING SEGMENT"))
        (folder / "power_metrics.json").write_text("\n".join(lines) + "\n")
        return folder

    def test_graphics_cards_under_the_names_since_2026(self):
        result = self.show(self.write_new(self.folder))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2.34 kJ for all programs on the machine, measured", result.stdout)  # 130 W for 18 s
        for text in ("gpu-0", "gpu-1", "90.0 % busy on average", "2.00 GiB of memory at most"):
            self.assertIn(text, result.stdout)
        self.assertNotIn("at least", result.stdout)

    def test_power_that_nobody_knows_is_named_and_the_total_is_the_least(self):
        folder = self.write_new(self.folder, cpu={"intel_power": 30.0, "npu_power": 5.0})
        result = self.show(folder)
        self.assertIn("at least 2.34 kJ for all programs on the machine, measured: CPU packages and graphics cards; may lack cpu.npu_power", result.stdout)
        self.assertIn("Note: cpu.npu_power in the lines looks like power", result.stdout)
        run = json.loads(self.show(folder, "--format", "json").stdout)["runs"][0]
        self.assertTrue(run["metrics"]["energy_j"]["lower_bound"])
        self.assertEqual(run["total"]["missing"], ["cpu.npu_power"])

    def test_a_card_that_falls_silent_counts_nothing_in_its_row_and_in_the_total(self):
        folder = self.folder / "silent"
        folder.mkdir()
        card = {"nvidia_power": 200, "per_gpu_nvidia_power": {"0": 200}}
        lines = [foreign_line(i, {"intel_power": 50}, card if i < 6 else {}) for i in range(11)]
        (folder / "power_metrics.json").write_text("\n".join(lines) + "\n")
        result = self.show(folder)
        self.assertIn("at least 1.5 kJ for all programs on the machine, measured: CPU packages and graphics cards; may lack gpu-0", result.stdout)
        self.assertRegex(result.stdout, r"gpu-0 +gpu +≥ 1 kJ +200 W +200 W")
        self.assertIn("250 W over the 5 s for which all parts are known", result.stdout)
        self.assertIn("Peak power  250 W over 1 s", result.stdout)
        both = self.show(folder, self.write_new(self.folder / "whole"))
        self.assertRegex(both.stdout, r"silent +1 +10 s +≥ 1.5 kJ +250 W")

    def test_power_under_unknown_names_only_is_unknown(self):
        folder = self.write_new(self.folder, gpu={"rocm_power": 90}, cpu={"amd_power": 30.0})
        result = self.show(folder)
        self.assertIn("Energy      unknown; may lack cpu.amd_power, gpu.rocm_power", result.stdout)
        self.assertIn("gpu.rocm_power in the lines look like power or energy", result.stdout)

    def test_a_recording_of_one_line_has_power_but_no_energy(self):
        (self.folder / "power_metrics.json").write_text(foreign_line(1, {"intel_power": 30.0}))
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"Energy +unknown\n")
        self.assertIn("30 W", result.stdout)

    def test_runs_without_a_summary_are_named(self):
        folder = self.write_new(self.folder)
        lines = (folder / "power_metrics.json").read_text()
        (folder / "power_metrics.json").write_text(lines + lines.replace("10:11", "10:12"))
        self.assertIn("Note: runs 1, 2 have no summary; their figures", self.show(folder).stdout)

    def test_the_file_of_a_recording_stands_for_its_folder(self):
        folder = self.write_new(self.folder)
        result = self.show(folder / "power_metrics.json")
        self.assertEqual(result.stdout, self.show(folder).stdout)
        self.assertIn("2.34 kJ", result.stdout)

    def test_several_folders(self):
        one = self.write_new(self.folder / "one")
        two = self.write_foreign(self.folder / "deep" / "er" / "still" / "input_onnx" / "run_1")
        result = self.show(one, self.folder / "deep")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(one), result.stdout)
        self.assertIn(str(two), result.stdout)
        self.assertIn("All: 4.662 kJ", result.stdout)
        found = json.loads(self.show(one, two, "--format", "json").stdout)
        self.assertEqual([entry["folder"] for entry in found["recordings"]], [str(one), str(two)])
        self.assertEqual(found["profiles"], [])

    def test_a_folder_below_that_cannot_be_read_does_not_hide_the_others(self):
        self.write_new(self.folder / "run_1")
        self.write_new(self.folder / "run_2")
        (self.folder / "run_3").mkdir()
        (self.folder / "run_3" / "power_metrics.json").write_text("")
        (self.folder / "run_4").mkdir()
        (self.folder / "run_4" / "profile.json").write_text("{}")
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("run_2", result.stdout)
        self.assertIn("run_3", result.stderr)
        self.assertIn("run_4", result.stderr)

    def test_recordings_below_a_recording_are_mentioned(self):
        self.write_new(self.folder)
        self.write_new(self.folder / "again")
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Mean power", result.stdout)
        self.assertIn("1 more recording lies below", result.stderr)

    def rows_of(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return list(csv.DictReader(io.StringIO(result.stdout)))

    def test_runs_as_csv(self):
        one = self.write_new(self.folder / "one")
        two = self.write_foreign(self.folder / "two, with comma")
        rows = self.rows_of(self.show(one, two, "--format", "csv", "--carbon", "100"))
        self.assertEqual([row["folder"] for row in rows], [str(one), str(two)])
        self.assertEqual([float(row["energy_j"]) for row in rows], [2340, 2322])
        self.assertEqual(rows[0]["provenance"], "measured")
        self.assertEqual(float(rows[0]["energy_j:gpu-1"]), 40 * 18)
        self.assertAlmostEqual(float(rows[0]["co2e_g"]), 2340 / 3.6e6 * 100)

    def test_lines_as_csv(self):
        rows = self.rows_of(self.show(self.write_new(self.folder), "--format", "csv-lines"))
        self.assertEqual(len(rows), 10)
        self.assertEqual(rows[0]["energy_j"], "")
        self.assertEqual(sum(float(row["energy_j"] or 0) for row in rows), 2340)
        self.assertEqual(float(rows[3]["power_w:gpu-0"]), 60)
        self.assertEqual(float(rows[3]["card_utilisation:gpu-0"]), 0.9)

    def test_csv_is_for_recordings(self):
        result = self.show(self.write_new(self.folder), "--format", "csv", "--plot")
        self.assertEqual(result.returncode, 2)
        self.assertIn("leave --plot and --svg out", result.stderr)

    def test_curves_in_the_terminal(self):
        result = self.show(self.write_foreign(self.folder), "--plot")
        for title in ("total, W, measured", "gpu-1, W, measured", "memory (PSS), MiB, measured"):
            self.assertIn(title, result.stdout)
        width = max(len(line) for line in result.stdout.splitlines() if "┤" in line)
        self.assertLessEqual(width, 80)

    def test_curves_as_svg(self):
        picture = self.folder / "power.svg"
        result = self.show(self.write_foreign(self.folder / "x<&>"), "--svg", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        root = ElementTree.parse(picture).getroot()
        texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("Power in W", texts)
        self.assertIn("gpu-1 (measured)", texts)
        self.assertTrue(texts[0].endswith("x<&>"))

    def test_folders_below_a_folder(self):
        for number in (1, 2, 10):
            folder = self.write_foreign(self.folder / "input_onnx" / f"run_{number}")
        (folder / "latency.csv").write_text("0.1\n0.3\n")
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split() for line in result.stdout.splitlines()[2:5]]
        self.assertEqual([words[0][-6:].strip("/") for words in lines], ["run_1", "run_2", "run_10"])
        self.assertIn("200 ms", result.stdout)
        self.assertIn("All: 6.966 kJ", result.stdout)
        self.assertEqual(self.show(self.folder, "--plot").returncode, 2)

    def test_runs_of_jouletree(self):
        out = self.folder / "out"
        for _ in range(2):
            subprocess.run(
                [PROGRAM, "run", "-q", "--append", "-o", out, "--source", "estimate"]
                + ["--cpu-watts", "5:5", "--", "sleep", "0.3"],
                check=True,
                timeout=60,
            )
        all_runs = self.show(out)
        self.assertEqual(all_runs.returncode, 0, all_runs.stderr)
        self.assertIn("All runs", all_runs.stdout)
        self.assertIn("estimated", all_runs.stdout)
        second = self.show(out, "--run", "2", "--plot")
        self.assertIn("sleep 0.3", second.stdout)
        self.assertIn("estimate:cpu, W, estimated", second.stdout)
        self.assertEqual(self.show(out, "--run", "3").returncode, 2)
        # Without its summary, the lines still tell nearly all.
        (out / "summary.json").unlink()
        found = json.loads(self.show(out, "--format", "json").stdout)
        self.assertEqual([run["complete"] for run in found["runs"]], [False, False])
        power = found["runs"][0]["metrics"]["power_w"]["value"]
        self.assertAlmostEqual(power, 5, delta=0.5)

    def test_folders_without_a_recording(self):
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("holds no power_metrics.json", result.stderr)
        self.assertEqual(self.show(self.folder / "nowhere").returncode, 2)
        (self.folder / "power_metrics.json").write_text("no json\n")
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no line with a date and metrics", result.stderr)

    def test_a_profile_that_is_none(self):
        (self.folder / "profile.json").write_text('{"name": "npm", "version": "1.0.0"}')
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("profile.json: is not a profile; name a folder that", result.stderr)
        (self.folder / "profile.json").write_text('{"format": "jouletree profile", "version": 1}')
        result = self.show(self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("is a damaged profile", result.stderr)

    def test_depth_is_for_profiles(self):
        result = self.show(self.write_foreign(self.folder), "--depth", "1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("leave --depth out", result.stderr)

    def test_a_picture_that_cannot_be_written(self):
        result = self.show(self.write_foreign(self.folder), "--svg", "/no/such/folder/x.svg")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot be written", result.stderr)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
