#!/usr/bin/env python3
"""Counts a model and names the operators that do most of the work.

examples/python/count.py resnet-18
examples/python/count.py model.onnx
"""

from __future__ import annotations

import sys

import jouletree as jt


def main() -> None:
    model = sys.argv[1] if len(sys.argv) > 1 else "resnet-18"
    result = jt.inspect(model)
    print(f"{result.name}: {result.metrics['params']} parameters, {result.metrics['macs']} MACs")
    largest = sorted(result.operators, key=lambda operator: operator.macs.value or 0, reverse=True)
    for operator in largest[:5]:
        print(f"  {operator.scope} ({operator.type}): {operator.macs}")
    print(f"covered by cost rules: {result.coverage}")


if __name__ == "__main__":
    main()
