#!/usr/bin/env python3
"""Joules of each epoch of a training loop. Needs PyTorch.

examples/python/measure_training.py [EPOCHS]
"""

from __future__ import annotations

import sys

import torch

import jouletree as jt


def main() -> None:
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    torch.manual_seed(1)
    inputs, targets = torch.randn(2048, 64), torch.randint(10, (2048,))
    model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    optimizer = torch.optim.Adam(model.parameters())
    measured = []
    with jt.measure("training") as training:
        for epoch in range(epochs):
            with jt.measure(f"epoch {epoch + 1}") as one:
                for batch in torch.randperm(len(inputs)).split(128):
                    optimizer.zero_grad()
                    output = model(inputs[batch])
                    torch.nn.functional.cross_entropy(output, targets[batch]).backward()
                    optimizer.step()
            measured.append(one)
    # Read behind the loop: the meters keep nobody waiting inside it.
    for one in measured:
        print(one)
    print(training)


if __name__ == "__main__":
    main()
