#!/usr/bin/python3
"""Two workers on one database, one of which is killed: each item is measured exactly once.

    workers_test.py PROGRAM SERVER_FOLDER

On SQLite, and on the PostgreSQL server whose folder tests/database/server.py filled.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import campaigns


def start(program, plan, database):
    return subprocess.Popen(
        campaigns.command(program, plan, database, "--lease", "3s"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_claim(program, plan, database, worker):
    """Until this worker measures something."""
    for _ in range(600):
        assert worker.poll() is None, worker.stderr.read()
        try:
            listed = campaigns.status(program, plan, database)["list"]
        except subprocess.CalledProcessError:  # there is no database yet
            listed = []
        for item in listed:
            if item["state"] == "running" and item["worker"].endswith(f"process {worker.pid}"):
                return item["item"]
        time.sleep(0.02)
    raise AssertionError("the worker takes no item")


def one_is_killed(program, plan, database):
    first = start(program, plan, database)
    lost = wait_for_claim(program, plan, database, first)
    second = start(program, plan, database)
    wait_for_claim(program, plan, database, second)
    first.kill()
    first.wait()
    _, said = second.communicate(timeout=120)
    assert second.returncode == 0, said
    told = campaigns.status(program, plan, database)
    assert (told["done"], told["failed"], told["running"]) == (campaigns.ITEMS, 0, 0), told
    again = [item for item in told["list"] if item["attempts"] > 1]
    assert len(again) <= 1, again
    print(f"{campaigns.ITEMS} items done; the lost worker had {lost!r}, tried again: {len(again)}")
    return told


def check_failures(program, folder):
    """What cannot be measured is listed with its reason, and retried on request only."""
    plan = campaigns.write_plan(
        folder,
        "name: bad\nmodels: [{zoo: bert-l2-h128, set: {vocabulary: 50}, inputs: {input_ids: 0x8}}]\n"
        "budget: 300ms\nbaseline: 0\n",
    )
    database = folder / "bad.sqlite"
    for more, attempts in ((), 1), ((), 1), (("--retry",), 2):
        result = subprocess.run(
            campaigns.command(program, plan, database, *more),
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 1, (result.returncode, result.stderr)
        (item,) = campaigns.status(program, plan, database)["list"]
        assert item["state"] == "failed" and item["reason"], item
        assert ".onnx" not in item["reason"], "a file that was written for the run is named"
        assert item["attempts"] == attempts, item
    assert "--retry" in result.stdout, result.stdout


def check_server(program, plan, server):
    url = server / "url"
    if not url.exists():
        print(
            f"no PostgreSQL: {(server / 'reason').read_text() if server.exists() else 'not started'}"
        )
        return
    schema = f"workers_{os.getpid()}"
    sql = ["psql", "-q", url.read_text(), "-c"]
    subprocess.run([*sql, f"CREATE SCHEMA {schema}"], check=True)
    try:
        one_is_killed(program, plan, f"{url.read_text()}&options=-csearch_path%3D{schema}")
        asks = (
            f"SELECT count(DISTINCT i.source_id), count(m.id) FROM {schema}.campaign_items i "
            f"JOIN {schema}.measurements m ON m.source_id = i.source_id AND m.model_id IS NOT NULL"
        )
        found = subprocess.run(
            [*sql[:-1], "-tAc", asks], check=True, capture_output=True, text=True
        )
        assert found.stdout.strip() == f"{campaigns.ITEMS}|{campaigns.ITEMS}", found.stdout
    finally:
        subprocess.run(
            [*sql, f"DROP SCHEMA {schema} CASCADE"], check=True, stderr=subprocess.DEVNULL
        )


def main(program, server):
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        plan = campaigns.write_plan(folder)
        probe = subprocess.run(
            campaigns.command(program, plan, folder / "probe.sqlite", "--limit", "1"),
            capture_output=True,
            text=True,
            check=False,
        )
        if campaigns.is_missing_engine(probe):
            print("skipped: no ONNX Runtime here")
            sys.exit(77)
        assert probe.returncode == 0, probe.stderr
        one_is_killed(program, plan, folder / "two.sqlite")
        campaigns.check_once(folder / "two.sqlite")
        campaigns.check_integrity(folder / "two.sqlite")
        check_failures(program, folder)
        check_server(program, campaigns.write_plan(folder), pathlib.Path(server))


if __name__ == "__main__":
    main(*sys.argv[1:])
