#!/usr/bin/python3
"""How much sooner is a profile ready when a similar model is in the database, and is it the same?

    bench/reuse.py PROGRAM [PAIR …]

For each pair of models (`resnet`, `bert`): profiles the first into a new database, then the second
with that database, then the second without one. Prints how long each took, and what both profiles
of the second say: the sum of its operators compared with its own whole, which differs least with
the speed that the machine has at the moment, and the share of the operators' kinds whose intervals
overlap. Exit code 1 where the reused profile takes more than a third of the time of the fresh one,
or where the intervals of their attributions do not overlap.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAIRS = {
    "resnet": ("resnet-18", "resnet-34", []),
    "bert": ("bert-l4-h512", "bert-l6-h512", ["--dim", "sequence=128"]),
}
LARGEST_SHARE = 1 / 3


def profile(program, model, *options):
    begin = time.monotonic()
    result = subprocess.run(
        [program, "profile", model, "--format", "json", *map(str, options)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return json.loads(result.stdout), time.monotonic() - begin


def attribution(profile):
    """Low, value and high: the sum of the operators over the whole, with the intervals of both."""
    total, whole = profile["ledger"]["time_s"]["adjusted_sum"], profile["whole"]["time_s"]
    return (
        total["low"] / whole["high"],
        total["value"] / whole["value"],
        total["high"] / whole["low"],
    )


def overlap(one, other):
    return one[0] <= other[-1] and other[0] <= one[-1]


def kinds(profile):
    """Intervals of the operators that were measured, by where each kind stands first."""
    return {
        operator["first"]: (operator["time_s"]["low"], operator["time_s"]["high"])
        for operator in profile["operators"]
        if operator["time_s"]["value"] is not None
    }


def interval_text(low, value, high):
    return f"{value:6.1%} ({low:.1%} to {high:.1%})"


def measure_pair(program, name, first, second, options):
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "measured.sqlite"
        _, before_s = profile(program, first, *options, "--db", database)
        reused, reused_s = profile(program, second, *options, "--db", database)
        fresh, fresh_s = profile(program, second, *options)
    ours, theirs = kinds(reused), kinds(fresh)
    common = ours.keys() & theirs.keys()
    agreeing = sum(overlap(ours[key], theirs[key]) for key in common)
    share, by_reuse, by_all = reused_s / fresh_s, attribution(reused), attribution(fresh)
    earlier = sum("reused_from" in operator for operator in reused["operators"])
    print(
        f"{name}: {first} {before_s:.0f} s; {second} after it {reused_s:.0f} s, "
        f"fresh {fresh_s:.0f} s: {share:.2f}\n"
        f"  measured earlier: {earlier} of {reused['ledger']['kinds']} kinds of operators\n"
        f"  operators explain {interval_text(*by_reuse)} reused, {interval_text(*by_all)} fresh\n"
        f"  intervals of {agreeing} of {len(common)} kinds overlap",
        flush=True,
    )
    return share <= LARGEST_SHARE and overlap(by_reuse, by_all)


def main(program, *names):
    holds = [measure_pair(program, name, *PAIRS[name]) for name in names or PAIRS]
    return 0 if all(holds) else 1


if __name__ == "__main__":
    if len(sys.argv) < 2 or any(name not in PAIRS for name in sys.argv[2:]):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
