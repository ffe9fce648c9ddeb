#!/usr/bin/python3
"""What 'campaign check' says before and after a campaign: what is known here, and how long it takes.

    check_test.py PROGRAM
"""

import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import campaigns

# Operators alone, with enough time for each: a run keeps no measurement that was cut short.
PLAN = campaigns.PLAN[: campaigns.PLAN.index("models:")] + (
    campaigns.PLAN[campaigns.PLAN.index("random_operators:") :].replace(
        "budget: 300ms", "budget: 2s\ntarget: none"
    )
)
ITEMS = 4


def check(program, plan, database, *more):
    words = [program, "campaign", "check", str(plan), "--db", str(database), *more]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def outlook(program, plan, database):
    return json.loads(check(program, plan, database, "--format", "json"))


def change(database, sql):
    with sqlite3.connect(database) as connection:
        assert connection.execute(sql).rowcount > 0, sql
    connection.close()


def check_failing(program, folder):
    """What a run would refuse, check finds."""
    plan = folder / "failing.yml"
    for text, expected in (
        ("dims: {sequence: [0, 8]}", "sequence=0: bert-l2-h128: dimension 'sequence' cannot be 0"),
        ("devices: [cpu, nowhere:0]", "cannot run on 'nowhere"),
    ):
        plan.write_text(f"models: [bert-l2-h128]\n{text}\n")
        words = [program, "campaign", "check", str(plan), "--db", str(folder / "none.sqlite")]
        words += ["--format", "json"]
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        (problem,) = json.loads(result.stdout)["failing"]
        assert expected in problem and result.returncode == 1, (problem, result)


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plan, database = campaigns.write_plan(folder, PLAN), folder / "lab.sqlite"
        before = outlook(program, plan, database)
        assert before["seconds_from_items"] == 0 and before["known_engines"] == [], before
        assert before["new_operators"] == before["different_operators"] > 0, before
        assert "a rough guess" in check(program, plan, database)

        campaigns.run_whole(program, plan, database)

        # Another campaign of the same models finds its operators known.
        other = folder / "other.yml"
        other.write_text(PLAN.replace("name: small", "name: other"))
        known = outlook(program, other, database)
        assert known["done"] == 0 and known["seconds_from_items"] == ITEMS, known
        assert len(known["known_engines"]) == 1, known
        assert known["new_operators"] < known["different_operators"], known
        assert f"(from {ITEMS} items measured here)" in check(program, other, database)

        # But not under other conditions.
        for condition in "threads: 2", "caches: hot", "levels: none":
            other.write_text(PLAN.replace("name: small", f"name: other\n{condition}"))
            told = outlook(program, other, database)
            assert told["new_operators"] == told["different_operators"], (condition, told)

        # Nor on another machine, whose times say nothing of this one.
        other.write_text(PLAN.replace("name: small", "name: other"))
        change(database, "UPDATE machines SET cpu = 'another CPU'")
        told = outlook(program, other, database)
        assert told["new_operators"] == told["different_operators"], told
        assert told["seconds_from_items"] == 0 and told["known_engines"] == [], told
        check_failing(program, folder)
    print(f"{known['different_operators']} operators, {known['new_operators']} new")


if __name__ == "__main__":
    main(sys.argv[1])
