#!/usr/bin/env python3
"""Exports the models written here, with seeded random weights, to pt_<name>.onnx."""

import sys
import warnings

import torch

from decoder_models import Gpt2, T5Encoder
from model_folder import ModelFolder, initializer_elements, parse_arguments
from random_weights import vary_constants
from small_models import EinsumAttention, Recurrent, UNet
from transformer_models import Bert

TOKENS = {0: "batch", 1: "sequence"}
IMAGE = {0: "batch", 2: "height", 3: "width"}


def token_inputs(*names):
    """A batch of 2 x 9: sizes that no weight has, so that the trace cannot confuse them."""
    inputs = {}
    for name in names:
        ones = torch.ones(2, 9, dtype=torch.long)
        inputs[name] = ones if name.endswith("mask") else torch.randint(0, 2, (2, 9))
    return inputs


# name -> (constructor, parameters, opset, inputs, output names, dynamic axes)
MODELS = {
    "bert_base": (
        Bert,
        109_482_240,
        14,
        lambda: token_inputs("input_ids", "attention_mask", "token_type_ids"),
        ["last_hidden_state", "pooler_output"],
        TOKENS,
    ),
    "bert_tiny": (
        lambda: Bert(width=128, heads=2, inner=512, layers=2),
        4_385_920,
        17,
        lambda: token_inputs("input_ids", "attention_mask", "token_type_ids"),
        ["last_hidden_state", "pooler_output"],
        TOKENS,
    ),
    "gpt2": (
        Gpt2,
        124_439_808,
        13,
        lambda: token_inputs("input_ids", "attention_mask"),
        ["last_hidden_state"],
        TOKENS,
    ),
    "t5_small_encoder": (
        T5Encoder,
        35_330_816,
        15,
        lambda: token_inputs("input_ids", "attention_mask"),
        ["last_hidden_state"],
        TOKENS,
    ),
    "lstm_gru": (
        Recurrent,
        112_119,
        16,
        lambda: token_inputs("input_ids"),
        ["scores", "state"],
        TOKENS,
    ),
    "unet": (
        UNet,
        117_669,
        13,
        lambda: {"x": torch.rand(2, 3, 37, 50)},
        ["y", "half"],
        IMAGE,
    ),
    "einsum": (
        EinsumAttention,
        2_304,
        12,
        lambda: {"x": torch.rand(2, 9, 24)},
        ["y", "energy"],
        TOKENS,
    ),
}


def export(name, path):
    constructor, parameters, opset, make_inputs, outputs, axes = MODELS[name]
    torch.manual_seed(1)
    model = constructor().eval()
    vary_constants(model)
    counted = sum(p.numel() for p in model.parameters())
    assert counted == parameters, f"{name} has {counted} parameters, expected {parameters}"
    inputs = make_inputs()
    torch.onnx.export(
        model,
        tuple(inputs.values()),
        path,
        opset_version=opset,
        input_names=list(inputs),
        output_names=outputs,
        dynamic_axes={key: axes for key in inputs},
    )
    # The exporter folds a batch norm into the convolution before it; everything else it keeps.
    if not any(isinstance(module, torch.nn.BatchNorm2d) for module in model.modules()):
        held = initializer_elements(path)
        assert held == parameters, f"{name}: {held} float elements in the file, not {parameters}"


def main():
    arguments = parse_arguments(__doc__)
    folder = ModelFolder(arguments.out, arguments.files)
    for name in MODELS:
        folder.make(name, "pt_", lambda path: export(name, path))
    return 0


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
