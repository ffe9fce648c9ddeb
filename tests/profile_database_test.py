#!/usr/bin/python3
"""Profiles small models into a database, and asks it again: reuse, prediction, training, errors.

    profile_database_test.py PROGRAM [unittest arguments]
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
BAD_INPUT = 2
QUICK = ("--dim", "sequence=16", "--baseline", "0", "--budget", "8s", "--precision", "50%")
ATTEMPTS = 4


class ProfileDatabaseTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jouletree.")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.database = self.folder / "measured.sqlite"

    def run_program(self, *words, expect=0, **variables):
        result = subprocess.run(
            [PROGRAM, *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **variables},
        )
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    def profile(self, model, *words):
        command = ("profile", model, *QUICK, "--db", f"sqlite:{self.database}", "--format", "json")
        return json.loads(self.run_program(*command, *words).stdout)

    def kept(self):
        return self.rows("SELECT count(*) FROM measurements WHERE operator_id IS NOT NULL")[0][0]

    def profile_calmly(self, model, *words):
        """What other processes disturbed is not kept, so try again until most operators are."""
        for _ in range(ATTEMPTS):
            profile = self.profile(model, *words)
            if self.kept() >= 15:
                return profile
        self.fail("the machine is too busy to measure anything that may be kept")

    def rows(self, sql):
        with sqlite3.connect(self.database) as connection:
            return connection.execute(sql).fetchall()

    @staticmethod
    def reused(profile):
        return [one for one in profile["operators"] if one.get("reused_from")]

    def test_a_second_model_takes_what_is_known(self):
        first = self.profile_calmly("bert-l2-h128", "--fresh")
        self.assertFalse(self.reused(first))

        second = self.profile("bert-l4-h128")

        reused = self.reused(second)
        self.assertGreater(len(reused), 0)
        self.assertLessEqual(
            max(one["reused_from"] for one in reused), first["environment"]["date"]
        )
        self.assertTrue(any("measured earlier" in note for note in second["notes"]))
        known = set(
            self.rows(
                "SELECT o.key, m.measured_at, m.time_s FROM measurements m JOIN operators o "
                "ON o.id = m.operator_id"
            )
        )
        for one in reused:
            self.assertIn((one["key"], one["reused_from"], one["time_s"]["value"]), known)
        self.assertEqual(self.rows("PRAGMA foreign_key_check"), [])

        fresh = self.profile("bert-l4-h128", "--fresh")
        self.assertFalse(self.reused(fresh))

    def test_an_export_that_is_imported_is_of_the_same_machine_and_engine(self):
        self.profile("bert-l2-h128")
        exported, other = self.folder / "exported", self.folder / "other.sqlite"
        self.run_program("db", "export", "--db", self.database, "-o", exported)
        (folder,) = exported.iterdir()
        self.assertRegex(folder.name, r"^[\w.-]+$")
        seconds = [float(line) for line in (folder / "latency.csv").read_text().split()]
        self.assertEqual(seconds, sorted(seconds))
        kept = json.loads((folder / "profile.json").read_text())["environment"]
        self.assertEqual(json.loads((folder / "environment.json").read_text()), kept)

        def known(database):
            with sqlite3.connect(database) as connection:
                return [
                    connection.execute(f"SELECT * FROM {table}").fetchall()
                    for table in ("machines", "engines")
                ]

        self.run_program("db", "import", exported, "--db", other)
        self.assertEqual(known(other), known(self.database))
        # Exports of older programs have no environment.json.
        (folder / "environment.json").unlink()
        other.unlink()
        self.run_program("db", "import", exported, "--db", other)
        self.assertEqual(known(other), known(self.database))

    def test_predictions_sum_up_what_is_measured(self):
        self.profile_calmly("bert-l2-h128", "--fresh")
        self.profile("bert-l2-h256")
        location = f"sqlite:{self.database}"
        command = ("predict", location, "bert-l4-h128", "--dim", "sequence=16", "--dim", "batch=1")
        predicted = json.loads(self.run_program(*command, "--format", "json").stdout)["runs"][0]

        share = predicted["metrics"]["measured_share"]
        self.assertGreater(share, 0)
        self.assertLessEqual(share, 1)
        times = [node["metrics"]["time_s"] for node in predicted["nodes"] if node["level"] == "ml"]
        self.assertEqual({time["provenance"] for time in times}, {"measured", "predicted"})
        self.assertEqual(predicted["metrics"]["time_s"]["provenance"], "predicted")
        for node in predicted["nodes"]:
            if node["metrics"]["time_s"]["provenance"] == "measured":
                self.assertNotEqual(node["metrics"]["energy_j"]["provenance"], "predicted")

        table = self.run_program(*command, "--depth", "9").stdout
        self.assertIn("operators were measured on", table)
        self.run_program("train", location, "-o", self.folder / "machine.json")
        self.run_program("crossvalidate", location, "--features", "specs")

    def test_a_database_of_several_machines_asks_which(self):
        table = self.folder / "ops.csv"
        rows = ["gpu_config,exec_mode,op_class,op_key,input_shape,runtime_mean_s,energy_per_iter_mJ"]
        for card in ("A30", "A100"):
            for size in (8, 16, 32):
                shape = f'"(1, {size})"'
                rows.append(
                    f"{card},fwd_eval_inference_mode,ReLU,ReLU@{size},{shape},{size * 1e-6},1"
                )
        table.write_text("\n".join(rows) + "\n")
        location = f"sqlite:{self.database}"
        self.run_program("db", "import", table, "--db", location)
        machine = self.folder / "machine.json"
        refused = self.run_program("train", location, "-o", machine, expect=BAD_INPUT)
        self.assertIn("--machine", refused.stderr)
        self.assertIn("A100", refused.stderr)
        self.run_program("train", location, "--machine", "a100", "-o", machine)
        self.assertTrue(machine.exists())

    def test_bad_databases_are_told_of_before_measuring(self):
        text = self.folder / "notes.txt"
        text.write_text("not a database")
        for location in (f"sqlite:{text}", "mysql://host/x", f"sqlite:{self.folder}"):
            begin = time.monotonic()
            refused = self.run_program(
                "profile", "bert-l2-h128", "--db", location, expect=BAD_INPUT
            )
            self.assertLess(time.monotonic() - begin, 60)
            self.assertEqual(refused.stdout, "")
        self.assertEqual(text.read_text(), "not a database")
        self.run_program("profile", "bert-l2-h128", "--fresh", expect=BAD_INPUT)

    def test_the_users_own_database_is_made_where_none_is_named(self):
        ran = self.run_program(
            "profile", "bert-l2-h128", *QUICK, "-q", "--db", XDG_DATA_HOME=str(self.folder)
        )
        made = self.folder / "jouletree" / "jouletree.sqlite"
        self.assertTrue(made.exists())
        self.assertIn(f"kept in {made}", ran.stderr)

    def test_an_empty_name_is_not_the_users_own_database(self):
        for command in (("db", "stats"), ("campaign", "status")):
            refused = self.run_program(
                *command, "--db", "", expect=BAD_INPUT, XDG_DATA_HOME=str(self.folder)
            )
            self.assertIn("--db: give FILE", refused.stderr)

    def test_an_interrupted_profile_keeps_what_was_final(self):
        self.profile("bert-l2-h128")
        before = self.rows("SELECT count(*) FROM measurements")
        new = self.folder / "new.sqlite"
        command = [PROGRAM, "profile", "bert-l2-h128", "--baseline", "60s", "-q", "--db", new]
        child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=60), 128 + signal.SIGINT)
        self.assertFalse(new.exists(), "it holds nothing")
        for signal_number in (signal.SIGINT, signal.SIGKILL):
            command = [PROGRAM, "profile", "bert-l4-h256", *QUICK, "-q", "--db", self.database]
            child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            time.sleep(1.5)
            child.send_signal(signal_number)
            child.wait(timeout=60)
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertGreaterEqual(self.rows("SELECT count(*) FROM measurements"), before)
        self.assertEqual(self.rows("SELECT count(*) FROM runs"), [(1,)])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
