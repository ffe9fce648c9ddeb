#!/usr/bin/python3
"""Do modules that run alone cost what their operators cost, in every cache mode?

    bench/module_placement.py PROGRAM [ROUNDS]

Prints the ratio of each module to the sum of its operators: the median of the rounds, and their range. A
module that finds warmer or colder caches than its operators is off by a factor of two or more. Exit code 1
where a median lies outside 0.6 to 1.6. Needs a quiet machine.
"""

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from profile_placement_test import profile, save_model  # noqa: E402

LOW, HIGH = 0.6, 1.6


def ratios(result):
    rows = {row["scope"]: row for row in result["tree"] if row["kind"] == "module"}
    return {
        scope: rows[scope]["time_s"] / rows[scope]["operators_s"]
        for scope, module in result["modules"].items()
        if "same_as_operator" not in module and rows[scope]["operators_s"]
    }


def main(program, rounds="5"):
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "classifier.onnx"
        save_model(model)
        for mode in ("model", "hot", "cold"):
            found = {}
            for _ in range(int(rounds)):
                result = profile(program, model, "--cache", mode, "--budget", "12s")
                for scope, ratio in ratios(result).items():
                    found.setdefault(scope, []).append(ratio)
            if mode == "hot":
                found.pop("body", None)  # its weights fill the caches: it cannot be hot
            for scope, values in sorted(found.items()):
                median = statistics.median(values)
                good = LOW < median < HIGH
                failed |= not good
                print(f"{mode:<6} {scope:<8} {median:.2f} ({min(values):.2f} to {max(values):.2f}, "
                      f"n={len(values)}) {'' if good else 'FAILED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
