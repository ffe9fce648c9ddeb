#!/usr/bin/env python3
"""Measures a model, keeps the profile, and compares it with an older one if there is one.

examples/python/profile_model.py model.onnx profiles/model [BUDGET]
"""

from __future__ import annotations

import sys
from pathlib import Path

import jouletree as jt


def main() -> None:
    model, folder = sys.argv[1], Path(sys.argv[2])
    budget = sys.argv[3] if len(sys.argv) > 3 else "60s"
    profile = jt.profile(model, budget=budget)
    print(profile.table(depth=1))
    if folder.exists():
        older = jt.load(folder)
        print(jt.compare(older, profile, labels=["before", "now"]))
    profile.save(folder, replace=True)


if __name__ == "__main__":
    main()
