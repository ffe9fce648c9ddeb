#!/usr/bin/python3
"""Meters that users bring to jouletree run: files of wattmeters and logs of graphics cards.

    run_meters_test.py PROGRAM [unittest arguments]
"""

import datetime
import json
import subprocess
import sys
import time

from recorded_run import PATIENCE, RunTest, main, summary_of, wait_for


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

    def test_a_meter_that_gives_no_watts_does_not_stretch_the_run(self):
        stamp = datetime.datetime.now().strftime("%Y/%m/%d %H:%M:%S.000")
        contents = {"empty": "", "unknown": "timestamp, power.draw [W]\n" + f"{stamp}, [N/A]\n" * 9}
        for name, content in contents.items():
            file = self.folder / f"{name}.csv"
            file.write_text(content)
            begin = time.monotonic()
            result = self.run_program(
                "-o", str(self.folder / name), "--external", str(file), "--", "sleep", "2"
            )
            self.assertLess(time.monotonic() - begin, 3.7)
            self.assertEqual(result.returncode, 0, result.stderr)
            run = summary_of(self.folder / name)["runs"][0]
            self.assertAlmostEqual(run["metrics"]["time_s"]["value"], 2, delta=0.3)
            self.assertEqual(run["gaps"][0]["reason"], "failed" if content else "late")
            self.assertIn(f"may lack external:{name}", result.stderr)

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

    def smi(self, cells, last=300):
        """A log of nvidia-smi without titles, around now; its last line is so many tenths of a second ahead."""
        file = self.folder / "smi.csv"
        now = datetime.datetime.now()
        lines = []
        for i in range(min(-20, last - 20), last):
            at = now + datetime.timedelta(milliseconds=100 * i)
            lines += [f"{at:%Y/%m/%d %H:%M:%S}.{at.microsecond // 1000:03}, {cell}" for cell in cells]
        file.write_text("\n".join(lines) + "\n")
        return str(file)

    def test_a_log_of_nvidia_smi(self):
        run = self.measure(self.smi(["97 %, 60.50 W"]))
        self.assertEqual(run["domains"][0]["level"], "gpu")
        self.assertAlmostEqual(run["domains"][0]["power_w"], 60.5, delta=0.1)

    def test_a_log_of_cards_is_summed_with_the_estimate_of_the_cpus(self):
        run = self.measure(self.smi(["97 %, 60.50 W"]))
        self.assertEqual(run["total"]["summed"], ["external:smi", "estimate:cpu"])
        self.assertIn("graphics cards (measured) and CPUs (estimated", run["total"]["rule"])
        self.assertEqual(run["metrics"]["energy_j"]["provenance"], "estimated")
        powers = [domain["power_w"] for domain in run["domains"]]
        self.assertAlmostEqual(run["metrics"]["power_w"]["value"], sum(powers), delta=0.1)
        self.assertEqual(run["total"]["missing"], [])

    def test_a_log_of_cards_that_has_ended(self):
        for last in (-100, 2):
            log = self.smi(["97 %, 60.50 W"], last=last)
            result = self.run_program("--external", log, "--format", "json", "--", "sleep", "0.6")
            run = json.loads(result.stderr[result.stderr.index("\n{") :])["runs"][0]
            self.assertEqual(run["total"]["missing"], ["external:smi"])
            self.assertTrue(run["metrics"]["energy_j"]["lower_bound"])
            result = self.run_program("--external", log, "--", "sleep", "0.6")
            self.assertRegex(result.stderr, r"Energy +at least .*; may lack external:smi")
            self.assertIn("its file has no line from then", result.stderr)

    def test_a_log_of_two_cards(self):
        run = self.measure(self.smi(["0, 60.50 W, 97 %", "1, 40.00 W, 97 %"]))
        cards = [domain for domain in run["domains"] if domain["level"] == "gpu"]
        self.assertAlmostEqual(sum(card["power_w"] for card in cards), 100.5, delta=0.2)
        self.assertEqual([card["name"][-5:] for card in cards], ["gpu-0", "gpu-1"])

    def test_a_log_of_utilisation_asks_for_power(self):
        self.assertIn("no column holds watts", self.refused(self.smi(["97 %, 1024 MiB"])))
        self.assertIn("holds no watts", self.refused(self.smi(["97 %, 1024 MiB"]) + ":2"))

    def test_a_log_without_units_is_never_guessed(self):
        complaint = self.refused(self.smi(["97, 60.50"]))
        self.assertIn("2 '97', 3 '60.50'", complaint)
        run = self.measure(self.smi(["97, 60.50"]) + ":3")
        self.assertAlmostEqual(run["domains"][0]["power_w"], 60.5, delta=0.1)


if __name__ == "__main__":
    main()
