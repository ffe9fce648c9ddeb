"""deeplite-profiler's documented example, ResNet-18 for CIFAR-100, from our own numbers.

It counts by modules: multiplications of a batch normalisation and additions of a bias are MACs, and
the footprint is the weights, the input, and what every module but containers returns.
"""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("pandas", reason="pandas is not installed")

from typing import Any

from torch import Tensor, nn
from torch.nn import functional

import jouletree as jt

#: As its README shows them, with four digits behind the point.
SIZE_MB, MILLIONS, GIGA_MACS, FOOTPRINT_MB = "42.8014", "11.2201", "0.5567", "48.4389"
FLOAT_BYTES, MEBIBYTE = 4, 1024**2


class Block(nn.Module):
    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != width:
            self.shortcut.append(nn.Conv2d(inputs, width, 1, stride, bias=False))
            self.shortcut.append(nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        y = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


class CifarResNet18(nn.Module):
    """A first convolution of 3x3 that keeps the size, and no pooling behind it."""

    def __init__(self, classes: int = 100) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        blocks = []
        inputs = 64
        for width, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
            blocks += [Block(inputs, width, stride), Block(width, width, 1)]
            inputs = width
        self.blocks = nn.Sequential(*blocks)
        self.linear = nn.Linear(512, classes)

    def forward(self, x: Tensor) -> Tensor:
        y = self.blocks(functional.relu(self.bn1(self.conv1(x))))
        result: Tensor = self.linear(functional.avg_pool2d(y, 4).flatten(1))
        return result


@pytest.fixture(scope="module")
def counted() -> jt.Inspection:
    return jt.inspect(CifarResNet18().eval(), torch.randn(1, 3, 32, 32))


def _elements(sizes: str) -> int:
    return math.prod(int(size) for size in sizes.split("x"))


def _of_type(counted: jt.Inspection, kind: str, column: str) -> int:
    rows: Any = counted.to_pandas()
    return sum(_elements(sizes) for sizes in rows[rows["type"] == kind][column])


def test_parameters_and_size_are_the_same(counted: jt.Inspection) -> None:
    params = counted.metrics["params"].value
    assert params is not None

    assert params == 11_220_132
    assert f"{params / 1e6:.4f}" == MILLIONS
    assert f"{FLOAT_BYTES * params / MEBIBYTE:.4f}" == SIZE_MB
    # Running means and variances are in the file, but are no parameters, for deeplite neither.
    assert counted.metrics["weight_bytes"].value == FLOAT_BYTES * (params + 2 * 4800)


def test_its_macs_are_ours_with_normalisations_and_biases(counted: jt.Inspection) -> None:
    ours = counted.metrics["macs"].value
    assert ours is not None
    normalisations = 2 * _of_type(counted, "BatchNormalization", "input_size")
    biases = _of_type(counted, "Gemm", "output_size")

    assert (ours, normalisations, biases) == (555_468_800, 1_228_800, 100)
    assert f"{(ours + normalisations + biases) / 1e9:.4f}" == GIGA_MACS


def test_its_footprint_is_the_sum_of_what_all_modules_return(counted: jt.Inspection) -> None:
    params = counted.metrics["params"].value
    assert params is not None
    rows: Any = counted.to_pandas()
    layers = sum(
        _of_type(counted, kind, "output_size") for kind in ("Conv", "BatchNormalization", "Gemm")
    )
    # A block returns what its last operator does.
    blocks = sum(
        _elements(rows[rows["name"].str.startswith(f"blocks.{place}.")]["output_size"].iloc[-1])
        for place in range(8)
    )
    whole = _elements(rows["output_size"].iloc[-1])
    image = 3 * 32 * 32

    assert (layers, blocks, whole, image) == (1_228_900, 245_760, 100, 3_072)
    footprint = FLOAT_BYTES * (params + layers + blocks + whole + image) / MEBIBYTE
    assert f"{footprint:.4f}" == FOOTPRINT_MB


def test_ours_is_what_is_in_memory_at_once(counted: jt.Inspection) -> None:
    """No more than weights and three activations of the widest layer: input, shortcut, result."""
    weights = counted.metrics["weight_bytes"].value
    ours = counted.metrics["memory_bytes"].value
    assert weights is not None and ours is not None

    assert weights < ours <= weights + 3 * FLOAT_BYTES * 64 * 32 * 32
    assert ours / MEBIBYTE < float(FOOTPRINT_MB)
