#!/usr/bin/python3
"""jouletree doctor on fake machines.

    doctor_test.py PROGRAM [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fake_machine import FakeMachine

PROGRAM = ""
NOBODY = 65534


class DoctorTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jouletree.")
        self.addCleanup(temporary.cleanup)
        Path(temporary.name).chmod(0o755)
        self.machine = FakeMachine(Path(temporary.name) / "machine")

    def run_program(self, *words, user=None):
        command = [PROGRAM, "doctor", "--sysroot", str(self.machine.root)]
        return subprocess.run(
            [*command, "--nvml", "/no/such/library", *words],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            user=user,
        )

    def check(self, **how):
        """The JSON of the machine, after a look at the text, which must hold the same."""
        text = self.run_program(**how)
        self.assertEqual(text.returncode, 0, text.stderr)
        result = self.run_program("--format", "json", **how)
        found = json.loads(result.stdout)
        self.assertTrue(text.stdout.endswith(f"Verdict: {found['verdict']['text']}\n"), text.stdout)
        for finding in found["findings"]:
            self.assertIn(finding["what"], text.stdout)
        return found

    def topics(self, found, weight):
        return [each["topic"] for each in found["findings"] if each["weight"] == weight]

    def test_intel_with_counters_that_only_root_may_read(self):
        for zone, name in (("0", "package-0"), ("0:0", "core"), ("1", "package-1")):
            self.machine.add_rapl(f"intel-rapl:{zone}", name, mode=0o400)
        user = NOBODY if os.geteuid() == 0 else None
        try:
            found = self.check(user=user)
        except PermissionError:
            self.skipTest("this program is in a folder that other users cannot reach")
        self.assertEqual(found["verdict"]["state"], "estimated")
        powercap = self.machine.root / "sys/class/powercap"
        fix = ('sudo groupadd -f energy && sudo usermod -aG energy "$(id -un)" && '
               f"sudo chgrp energy {powercap}/intel-rapl*/energy_uj && "
               f"sudo chmod g+r {powercap}/intel-rapl*/energy_uj; then log in again")
        self.assertIn(fix, found["verdict"]["text"])
        rapl = [each for each in found["missing"] if each["source"] == "rapl"]
        self.assertEqual([each["fix"] for each in rapl], [fix])
        self.assertIn("permission", self.topics(found, "hides"))

    def test_two_sockets_of_amd(self):
        self.machine.write("proc/cpuinfo", "model name\t: AMD EPYC 7763\nflags\t\t: fpu rapl\n")
        for package in (0, 1):
            self.machine.add_rapl(f"intel-rapl:{package}", f"package-{package}")
            self.machine.add_rapl(f"intel-rapl:{package}:0", "core")
        self.machine.write("sys/devices/system/cpu/cpufreq/boost", "1\n")
        found = self.check()
        self.assertEqual(found["verdict"]["state"], "measured")
        self.assertEqual(found["machine"]["cpu"], "AMD EPYC 7763")
        self.assertEqual(found["total"]["summed"], ["rapl:package-0", "rapl:package-1"])
        self.assertEqual(len(found["meters"]), 4)
        meter = found["meters"][0]
        self.assertEqual(meter["period_s"], 0.001)
        self.assertEqual(meter["resolution_unit"], "J")
        self.assertGreater(meter["resolution"], 0)
        self.assertIn("turbo", self.topics(found, "disturbs"))
        self.assertIn("load", self.topics(found, "fine"))

    def test_a_virtual_machine_without_anything(self):
        self.machine.write("proc/cpuinfo", "model name\t: Xeon\nflags\t\t: fpu hypervisor lm\n")
        self.machine.write("sys/class/dmi/id/sys_vendor", "QEMU\n")
        found = self.check()
        self.assertEqual(found["verdict"]["state"], "estimated")
        self.assertEqual(self.topics(found, "hides"), ["virtual machine"])
        self.assertIn("QEMU", found["findings"][0]["what"])
        self.assertEqual([meter["provenance"] for meter in found["meters"]], ["estimated"])
        # What cannot help inside is not proposed, and times are measured all the same.
        self.assertNotIn("modprobe", json.dumps(found))
        self.assertIn("Energy cannot be measured here", found["verdict"]["text"])
        self.assertIn("Times are measured", found["verdict"]["text"])

    def test_a_container(self):
        self.machine.write("proc/1/cgroup", "0::/kubepods/besteffort/pod1\n")
        found = self.check()
        self.assertEqual(self.topics(found, "hides"), ["container"])
        self.assertIn("--sysroot /host", found["findings"][0]["fix"])
        fixes = {each["source"]: each["fix"] for each in found["missing"]}
        self.assertNotIn("modprobe", fixes["rapl"])
        self.assertEqual(fixes["rapl-perf"], "on the host of this container: sudo modprobe rapl")

    def test_settings_of_the_kernel_are_those_of_the_host(self):
        self.machine.write(".dockerenv", "")
        cpu = "sys/devices/system/cpu"
        self.machine.write(f"{cpu}/cpu0/cpufreq/scaling_governor", "powersave\n")
        self.machine.write(f"{cpu}/intel_pstate/no_turbo", "0\n")
        fixes = {each["topic"]: each["fix"] for each in self.check()["findings"]}
        for topic in ("governor", "turbo"):
            self.assertTrue(fixes[topic].startswith("on the host of this container: echo "), fixes)

    def test_a_laptop_on_its_battery(self):
        battery = "sys/class/power_supply/BAT0"
        for name, text in (("type", "Battery"), ("status", "Discharging"), ("power_now", "9500000")):
            self.machine.write(f"{battery}/{name}", text + "\n")
        cpu = "sys/devices/system/cpu"
        for number in range(2):
            self.machine.write(f"{cpu}/cpu{number}/cpufreq/scaling_governor", "powersave\n")
        self.machine.write(f"{cpu}/intel_pstate/no_turbo", "0\n")
        found = self.check()
        self.assertEqual(found["verdict"]["state"], "measured")
        self.assertEqual(found["total"]["summed"], ["battery:BAT0"])
        self.assertEqual(self.topics(found, "disturbs"), ["governor", "turbo"])
        fixes = {each["topic"]: each["fix"] for each in found["findings"]}
        self.assertIn("scaling_governor", fixes["governor"])
        self.assertEqual(
            fixes["turbo"], f"echo 1 | sudo tee {self.machine.root}/{cpu}/intel_pstate/no_turbo"
        )

    def test_a_laptop_on_its_charger(self):
        self.machine.write("sys/class/power_supply/BAT0/type", "Battery\n")
        self.machine.write("sys/class/power_supply/BAT0/status", "Charging\n")
        found = self.check()
        self.assertEqual(found["verdict"]["state"], "estimated")
        self.assertIn("unplug the charger", [each["fix"] for each in found["missing"]])

    def test_a_busy_machine(self):
        self.machine.write("proc/loadavg", "3.50 2.00 1.00 5/100 1000\n")
        self.assertIn("load", self.topics(self.check(), "disturbs"))

    def test_a_tuned_machine(self):
        self.machine.add_rapl("intel-rapl:0", "package-0")
        cpu = "sys/devices/system/cpu"
        self.machine.write(f"{cpu}/cpu0/cpufreq/scaling_governor", "performance\n")
        self.machine.write(f"{cpu}/intel_pstate/no_turbo", "1\n")
        found = self.check()
        self.assertEqual(self.topics(found, "disturbs"), [])
        self.assertEqual(self.topics(found, "fine"), ["governor", "turbo", "load"])

    def test_a_graphics_card_alone(self):
        hwmon = "sys/class/hwmon/hwmon0"
        for name, text in (("name", "amdgpu"), ("power1_average", "55000000"), ("power1_cap", "1")):
            self.machine.write(f"{hwmon}/{name}", text + "\n")
        found = self.check()
        self.assertEqual(found["verdict"]["state"], "partly")
        self.assertIn("energy of the CPUs cannot be measured here", found["verdict"]["text"])
        self.assertIn("graphics cards alone", found["verdict"]["text"])

    def test_nothing_at_all(self):
        (self.machine.root / "proc/stat").unlink()
        found = self.check()
        self.assertEqual(found["verdict"]["state"], "nothing")
        self.assertEqual(found["meters"], [])


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
