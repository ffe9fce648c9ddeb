#!/usr/bin/python3
"""Kills campaigns at random moments, resumes them, and looks at what is in the database.

    kill_test.py PROGRAM [--count KILLS]

Every finished measurement must be there once, the database must be sound, and the campaign must end
with the same set of measurements as one that nobody disturbed.
"""

import argparse
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import campaigns


def undisturbed(program, plan, database):
    began = time.monotonic()
    campaigns.run_whole(program, plan, database)
    return time.monotonic() - began


def killed(program, plan, database, after, sign):
    """Starts a worker and ends it; tells whether it was still at work."""
    worker = subprocess.Popen(
        campaigns.command(program, plan, database),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        worker.wait(timeout=after)
        return False
    except subprocess.TimeoutExpired:
        worker.send_signal(sign)
        worker.wait()
        return True


def finished(database):
    if not database.exists():
        return {}
    try:
        found = campaigns.rows(
            database, "SELECT id, source_id, finished_at FROM campaign_items WHERE state = 'done'"
        )
    except campaigns.sqlite3.OperationalError:  # killed before there were tables
        return {}
    return {item: rest for item, *rest in found}


def kill_often(program, folder, kills, usual, expected, chance):
    """Campaigns from the beginning to the end, each killed several times on its way."""
    hits = ends = 0
    while hits < kills:
        database = folder / f"killed{ends}.sqlite"
        while True:
            sign = signal.SIGKILL if chance.random() < 0.9 else signal.SIGINT
            before = finished(database)
            was_hit = killed(
                program, folder / "plan.yml", database, chance.uniform(0.01, usual / 2), sign
            )
            hits += was_hit
            now = finished(database)
            for item, rest in before.items():
                assert now.get(item) == rest, "a finished item was lost or measured again"
            if database.exists():
                campaigns.check_integrity(database)
            if now:
                campaigns.check_once(database)
            if not was_hit or hits >= kills:
                break
        result = subprocess.run(
            campaigns.command(program, folder / "plan.yml", database),
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        assert len(finished(database)) == campaigns.ITEMS
        campaigns.check_once(database)
        campaigns.check_integrity(database)
        assert campaigns.measured_set(database) == expected, "another set than without kills"
        ends += 1
    return hits, ends


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        plan = campaigns.write_plan(folder)
        usual = undisturbed(program, plan, folder / "quiet.sqlite")
        expected = campaigns.measured_set(folder / "quiet.sqlite")
        assert len(expected) == campaigns.ITEMS, expected
        campaigns.check_once(folder / "quiet.sqlite")
        hits, ends = kill_often(
            program, folder, arguments.count, usual, expected, random.Random(arguments.seed)
        )
    print(
        f"{hits} kills in {ends} campaigns of {usual:.1f} s: each finished item is there once, and "
        "all ended with the same set"
    )


if __name__ == "__main__":
    main()
