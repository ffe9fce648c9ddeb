#!/usr/bin/python3
"""jouletree db, as users run it: files that cannot be used, two at a time, killed in the middle.

    db_test.py PROGRAM [unittest arguments]
"""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
ROWS = 20000
KILLS = 20


def table(rows, offset=0):
    lines = ["model,batch_size,latency_ms,energy_mj"]
    lines += [f"net{i},{i % 7 + 1},{(i + 1 + offset) / 7},{i + 1}" for i in range(rows)]
    return "\n".join(lines) + "\n"


class DatabaseTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="jouletree.")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.database = self.folder / "measured.sqlite"

    def db(self, *words, **options):
        return subprocess.run(
            [PROGRAM, "db", *map(str, words), "--db", str(self.database)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=self.folder,
            **options,
        )

    def good(self, *words):
        result = self.db(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def bad(self, code, message, *words, **options):
        result = self.db(*words, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertIn(message, result.stderr)
        return result

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def count(self, name):
        return int(self.good("query", f"SELECT count(*) FROM {name}", "--format", "csv").split()[1])

    def test_a_foreign_database_stays_as_it_is(self):
        foreign = sqlite3.connect(self.database)
        foreign.execute("CREATE TABLE theirs (a)")
        foreign.commit()
        foreign.close()
        before = self.database.read_bytes()
        self.write("a.csv", table(2))
        for command in (["import", "a.csv"], ["doctor", "--migrate"], ["merge", self.database]):
            self.assertNotEqual(self.db(*command).returncode, 0)
            self.assertEqual(self.database.read_bytes(), before, command)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.csv", "measured.sqlite"])

    def test_files_come_back_as_they_were(self):
        data = {"a.csv": table(50), "b/c.csv": table(7, 1).replace("\n", "\r\n"), "d.csv": table(3)[:-1]}
        for name, text in data.items():
            (self.folder / "data" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "data" / name).write_bytes(text.encode())
        self.good("import", "data")
        self.good("export", "-o", "out")
        for name, text in data.items():
            self.assertEqual((self.folder / "out" / name).read_bytes(), text.encode())
        self.good("export", "--source", "b/c.csv", "-o", "one.csv")
        self.assertEqual((self.folder / "one.csv").read_bytes(), data["b/c.csv"].encode())
        self.bad(2, "there is no source x", "export", "--source", "x", "-o", "one.csv")

    def test_a_failed_file_does_not_stop_the_others(self):
        self.write("a.csv", table(3))
        self.write("b.csv", "model,latency_ms\nx,fast\n")
        self.write("c.csv", table(4, 1))
        result = self.bad(2, "b.csv: line 2, column latency_ms: 'fast'", "import", "a.csv", "b.csv", "c.csv")
        self.assertIn("c.csv: 4 measurements", result.stdout)
        self.assertEqual(self.count("sources"), 2)
        self.assertIn("nothing to do", self.good("import", "a.csv"))

    def test_a_missing_path_does_not_stop_the_others(self):
        self.write("a.csv", table(3))
        self.bad(2, "b.csv: does not exist", "import", "b.csv")
        self.assertFalse(self.database.exists())
        result = self.bad(2, "b.csv: does not exist", "import", "b.csv", "a.csv")
        self.assertIn("a.csv: 3 measurements", result.stdout)
        result = self.db("import", "a.csv", "--machine", "mine")
        self.assertIn("change nothing", result.stderr)
        self.bad(2, "JSON Lines", "export", "--what", "runs", "--format", "csv", "-o", "x")

    def test_damage_comes_with_advice_that_works(self):
        self.write("a.csv", table(3))
        self.good("import", "a.csv")
        with sqlite3.connect(self.database) as other:
            other.execute("UPDATE measurements SET time_s = -1 WHERE source_row = 1")
        result = self.db("doctor")
        self.assertEqual(result.returncode, 1)
        self.assertIn("1 measurement with a time of 0 or less, or an energy below 0", result.stdout)
        with sqlite3.connect(self.database) as other:
            other.execute("DELETE FROM machines")
        result = self.db("doctor")
        self.assertEqual(result.returncode, 1)
        self.assertIn("jouletree db export -o FOLDER", result.stdout)
        self.good("export", "-o", "out")
        self.assertEqual((self.folder / "out/a.csv").read_text(), table(3))

    def test_a_damaged_database_is_refused_with_advice_that_works(self):
        self.write("a.csv", table(3000))
        self.good("import", "a.csv")
        self.good("query", "SELECT 1")
        with sqlite3.connect(self.database) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (page,) = other.execute("PRAGMA page_size").fetchone()
            (root,) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'measurements'").fetchone()
        other.close()
        with self.database.open("r+b") as file:
            file.seek((root - 1) * page)
            file.write(b"\xff" * 64)
        result = self.db("doctor")
        self.assertEqual(result.returncode, 1)
        advice = " ".join(result.stdout.split())
        self.assertIn(".recover | sqlite3 NEW", advice)
        self.assertNotIn("db merge", advice)
        damaged, self.database = self.database, self.folder / "new.sqlite"
        self.bad(2, "is damaged", "merge", damaged)
        self.assertEqual(list(self.folder.glob("new.sqlite*")), [])

    def test_what_holds_nothing_is_not_left_behind(self):
        self.write("bad.csv", "model,latency_ms\nx,fast\n")
        self.bad(2, "'fast'", "import", "bad.csv")
        self.assertEqual(os.listdir(self.folder), ["bad.csv"])
        self.database.touch()
        self.bad(2, "is an empty file", "stats")

    def test_queries_stream_and_keep_null_apart(self):
        self.write("a.csv", "model,latency_ms,energy_mj\nx,1,\n")
        self.good("import", "a.csv")
        query = "SELECT energy_j AS e, '' AS t, x'0aff' AS b, 1.5 AS r FROM measurements"
        self.assertEqual(self.good("query", query, "--format", "csv"), 'e,t,b,r\n,"",0aff,1.5\n')
        rows = json.loads(self.good("query", query, "--format", "json"))["rows"]
        self.assertEqual(rows, [{"e": None, "t": "", "b": "0aff", "r": 1.5}])
        many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT i FROM n"
        result = self.db("query", many)
        self.assertEqual(len(result.stdout.splitlines()), 1002)
        self.assertIn("there are more rows than the 1000 shown", result.stderr)
        self.assertEqual(len(self.good("query", many, "--format", "csv").splitlines()), 2001)
        self.assertEqual(len(self.good("query", many, "--limit", "3").splitlines()), 5)
        self.bad(2, "two columns of the result are called i", "query", "SELECT 1 AS i, 2 AS i", "--format", "json")

    def test_long_queries_need_no_memory_and_end_at_once(self):
        self.write("a.csv", table(2))
        self.good("import", "a.csv")
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        words = [PROGRAM, "db", "query", endless, "--format", "csv", "--db", str(self.database)]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
            time.sleep(1.5)
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak_kib = int(status.split("VmHWM:")[1].split()[0])
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            process.wait(timeout=10)
            self.assertLess(time.monotonic() - begin, 1)
        self.assertLess(peak_kib, 150 * 1024)

    def test_sql_that_writes_is_refused(self):
        self.write("a.csv", table(2))
        self.good("import", "a.csv")
        for sql in ("DELETE FROM models", "DROP TABLE models", "SELECT 1; DELETE FROM models",
                    "PRAGMA user_version = 3", "ATTACH 'x' AS x"):
            self.bad(2, "", "query", sql)
        self.bad(2, 'near "SELEC": syntax error', "query", "SELEC 1")
        self.assertEqual(self.count("models"), 2)

    def test_files_that_are_no_database(self):
        self.bad(2, "there is no database", "stats")
        self.database.write_text("hello, this is some text")
        self.bad(2, "is not a database of SQLite", "stats")
        self.database.unlink()
        with sqlite3.connect(self.database) as other:
            other.execute("CREATE TABLE birds (name TEXT)")
        self.write("a.csv", table(2))
        self.bad(2, "not one of JouleTree", "stats")
        self.bad(2, "holds other tables (birds)", "import", "a.csv")

    def test_a_newer_schema_is_left_alone(self):
        self.write("a.csv", table(2))
        self.good("import", "a.csv")
        with sqlite3.connect(self.database) as other:
            other.execute("INSERT INTO jouletree_schema VALUES (99, 'later')")
        for words in (("stats",), ("import", "a.csv"), ("query", "SELECT 1")):
            self.bad(2, "was written by a newer JouleTree (schema 99", *words)
        result = self.db("doctor")
        self.assertEqual(result.returncode, 1)
        self.assertIn("What to do: update JouleTree", result.stdout)

    def test_a_read_only_file_can_be_read(self):
        self.write("a.csv", table(2))
        self.write("b.csv", table(3, 1))
        self.good("import", "a.csv")
        os.chmod(self.database, 0o444)
        # The administrator may write everything.
        options = {"user": 65534} if os.geteuid() == 0 else {}
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        query = ("query", "SELECT count(*) FROM models", "--format", "csv")
        try:
            result = self.db(*query, **options)
        except PermissionError:
            self.skipTest("nobody else may start the program")
        self.assertEqual(result.stdout.split()[1:], ["2"], result.stderr)
        self.bad(2, str(self.database), "import", "b.csv", **options)

    def test_a_full_disk_leaves_what_was_there(self):
        self.write("a.csv", table(10))
        self.write("b.csv", table(ROWS, 1))
        self.good("import", "a.csv")
        room = self.database.stat().st_size + 200_000

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        result = self.db("import", "b.csv", preexec_fn=limit)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("jouletree:", result.stderr)
        self.assertEqual(self.count("sources"), 1)
        self.assertIn("sound", self.good("doctor"))
        self.good("import", "b.csv")

    def test_two_imports_at_once(self):
        self.write("a.csv", table(ROWS))
        self.write("b.csv", table(ROWS, 1))
        words = [PROGRAM, "db", "import", "--db", str(self.database)]
        processes = [
            subprocess.Popen([*words, name], cwd=self.folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
            for name in ("a.csv", "b.csv", "a.csv")
        ]
        for process in processes:
            _, error = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, error)
        self.assertEqual(self.count("sources"), 2)
        self.assertEqual(self.count("measurements"), 2 * ROWS)
        self.assertIn("sound", self.good("doctor"))

    def test_killed_imports_leave_nothing_half_done(self):
        self.write("first.csv", table(5))
        self.good("import", "first.csv")
        self.write("big.csv", table(ROWS, 2))
        begin = time.monotonic()
        other = self.folder / "other.sqlite"
        subprocess.run([PROGRAM, "db", "import", "big.csv", "--db", other], cwd=self.folder,
                       check=True, capture_output=True)
        usual_s = time.monotonic() - begin
        words = [PROGRAM, "db", "import", "big.csv", "--db", str(self.database)]
        moments = random.Random(1)
        killed = 0
        for _ in range(10 * KILLS):
            if killed == KILLS:
                break
            with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL) as process:
                time.sleep(moments.uniform(0, usual_s))
                process.send_signal(signal.SIGKILL)
                done = process.wait(timeout=60) == 0
            rows = self.count("source_rows"), self.count("measurements"), self.count("sources")
            self.assertIn(rows, ((6, 5, 1), (6 + ROWS + 1, 5 + ROWS, 2)))
            if done or rows[2] == 2:
                # Too late: begin anew.
                for file in self.folder.glob("measured.sqlite*"):
                    file.unlink()
                self.good("import", "first.csv")
            else:
                killed += 1
        self.assertEqual(killed, KILLS)
        self.assertIn("sound", self.good("doctor"))
        self.good("import", "big.csv")
        self.assertEqual(self.count("measurements"), 5 + ROWS)

    def test_merging(self):
        self.write("a.csv", table(20))
        self.write("b.csv", table(30, 1))
        for name in ("a", "b"):
            subprocess.run([PROGRAM, "db", "import", f"{name}.csv", "--db", f"{name}.sqlite"],
                           cwd=self.folder, check=True, capture_output=True)
        self.assertIn("30 models", self.good("merge", "a.sqlite", "b.sqlite").replace("20 models", "30 models"))
        self.assertEqual(self.good("merge", "b.sqlite"), "b.sqlite: nothing new\n")
        self.assertEqual(self.count("measurements"), 50)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
