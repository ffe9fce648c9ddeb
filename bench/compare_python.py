#!/usr/bin/env python3
"""The Python package beside its peers, in one process and one run.

    bench/compare_python.sh [counts|speed|windows]… [--rounds N]

`counts` prints MACs of real models by all tools, `speed` the time that jt.inspect and thop take for
the same models, `windows` what a measuring window costs in jt.measure, Zeus and CodeCarbon. Ends
with 1 where jt.inspect is slower than thop, or jt.measure dearer than one of the others.
"""

from __future__ import annotations

import argparse
import sys

from python_peers import counts, speed, windows

PARTS = {"counts": counts.main, "speed": speed.main, "windows": windows.main}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all unless said")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    failures = []
    for part in given.parts or PARTS:
        print(f"\n== {part}", flush=True)
        failures += PARTS[part](given.rounds)
    for failure in failures:
        print(f"missed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
