#!/usr/bin/python3
"""How much of the time of a profile lies in the modules that the model file names?

    bench/module_time.py PROGRAM MODEL.onnx …

Prints for each model the share of the time at the root (operators that the file keeps outside of all
modules are there, too) and the share that is lost: in modules that the file does not name, or at the root
though the file has no such operator there. Exit code 1 where more than 1 % is lost. Times are those
inside the running model, so a busy machine does no harm.
"""

import csv
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "models"))
from check_profile import LEAST_SHARE, run, shares_of_places  # noqa: E402

PROTOCOL = ("--budget", "2s", "--baseline", "0", "--no-modules", "--format", "json")


def main(program, *models):
    failed = False
    for model in models:
        layers = list(csv.DictReader(run(program, "inspect", model, "--format", "csv").splitlines()))
        profile = json.loads(run(program, "profile", model, *PROTOCOL))
        places = shares_of_places(profile, layers)
        failed |= places.lost > 1 - LEAST_SHARE
        print(
            f"{Path(model).stem}: {places.modules} modules, {places.at_root:.2%} at the root, "
            f"{places.lost:.2%} lost {' '.join(places.largest)}".rstrip(),
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
