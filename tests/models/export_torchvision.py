#!/usr/bin/env python3
"""Exports torchvision architectures with seeded random weights to tv_<arch>[_variant].onnx and .pt.

Tried with Debian 12's python3-torch 1.13 and python3-torchvision 0.14. Opsets are mixed on purpose:
the same architecture idea reaches the reader in several dialects (LayerNorm is one node from
opset 17 on and nine before).
"""

import sys
import warnings

import torch
import torchvision

from model_folder import ModelFolder, initializer_elements, parse_arguments
from random_weights import vary_constants

IMAGE = (1, 3, 224, 224)
DYNAMIC_IMAGE = {
    "x": {0: "batch", 2: "height", 3: "width"},
    "y": {0: "batch"},
}

# The published figures of the segmentation models include the auxiliary head.
SEGMENTATION = {"aux_loss": True, "weights_backbone": None}

# file name after tv_ -> (architecture, opset, input shape, extra arguments of the constructor)
PLAIN = {
    "alexnet": ("alexnet", 13, IMAGE, {}),
    "vgg16": ("vgg16", 14, IMAGE, {}),
    "resnet18": ("resnet18", 15, IMAGE, {}),
    "resnet18_opset9": ("resnet18", 9, IMAGE, {}),
    "resnet50": ("resnet50", 16, IMAGE, {}),
    "mobilenet_v2": ("mobilenet_v2", 17, IMAGE, {}),
    "mobilenet_v3_small": ("mobilenet_v3_small", 14, IMAGE, {}),
    "efficientnet_b0": ("efficientnet_b0", 13, IMAGE, {}),
    "densenet121": ("densenet121", 14, IMAGE, {}),
    "googlenet": ("googlenet", 15, IMAGE, {"init_weights": True}),
    "inception_v3": ("inception_v3", 16, (1, 3, 299, 299), {"init_weights": True}),
    "shufflenet_v2_x1_0": ("shufflenet_v2_x1_0", 17, IMAGE, {}),
    "squeezenet1_1": ("squeezenet1_1", 11, IMAGE, {}),
    "squeezenet1_1_opset7": ("squeezenet1_1", 7, IMAGE, {}),
    "shufflenet_v2_x1_0_opset8": ("shufflenet_v2_x1_0", 8, IMAGE, {}),
    "mobilenet_v3_small_opset10": ("mobilenet_v3_small", 10, IMAGE, {}),
    "mnasnet1_0_opset12": ("mnasnet1_0", 12, IMAGE, {}),
    "mnasnet1_0": ("mnasnet1_0", 13, IMAGE, {}),
    "regnet_y_400mf": ("regnet_y_400mf", 14, IMAGE, {}),
    "convnext_tiny": ("convnext_tiny", 15, IMAGE, {}),
    "vit_b_16": ("vit_b_16", 17, IMAGE, {}),
    "swin_t": ("swin_t", 16, IMAGE, {}),
    "maxvit_t": ("maxvit_t", 17, IMAGE, {}),
    "fcn_resnet50": ("fcn_resnet50", 13, (1, 3, 520, 520), SEGMENTATION),
    "deeplabv3_resnet50": ("deeplabv3_resnet50", 14, (1, 3, 520, 520), SEGMENTATION),
    "r3d_18": ("r3d_18", 15, (1, 3, 16, 112, 112), {}),
}

# Exports as trained: batch norms and weights stay as the modules hold them.
# file name after tv_ -> (architecture, opset, trainable parameters)
AS_TRAINED = {
    "resnet18_unfolded": ("resnet18", 13, 11_689_512),
    "resnet50_unfolded": ("resnet50", 14, 25_557_032),
    "mobilenet_v2_unfolded": ("mobilenet_v2", 15, 3_504_872),
    "vit_b_16_unfolded": ("vit_b_16", 14, 86_567_656),
}

# As users export them who change no setting: batch norms folded, the batch dynamic, and weights as
# they are before training, so that the exporter stores equal biases once and names them again by
# Identity nodes at the root.
DEFAULTS = (
    "resnet50",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "vgg16",
    "squeezenet1_1",
    "efficientnet_b0",
    "densenet121",
    "shufflenet_v2_x1_0",
    "convnext_tiny",
    "swin_t",
)
DEFAULT_OPSET = 17
DYNAMIC_BATCH = {"x": {0: "batch"}, "y": {0: "batch"}}

# Also as TorchScript files: traced with the same weights, or scripted.
TRACED = (
    "alexnet",
    "resnet18",
    "resnet50",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "efficientnet_b0",
    "densenet121",
    "googlenet",
    "shufflenet_v2_x1_0",
    "squeezenet1_1",
    "convnext_tiny",
    "vit_b_16",
)
SCRIPTED = ("resnet18", "googlenet")


def build(arch, *, looks_trained=True, **arguments):
    torch.manual_seed(1)
    model = torchvision.models.get_model(arch, weights=None, **arguments).eval()
    if looks_trained:
        vary_constants(model)
    # In evaluation mode attention takes a fused path that has no ONNX form. These modules have no
    # dropout, so marking just them as training changes the path and nothing else.
    for module in model.modules():
        if isinstance(module, torch.nn.MultiheadAttention):
            assert module.dropout == 0
            module.training = True
    return model


def has_fused_attention(model):
    return any(isinstance(m, torch.nn.MultiheadAttention) for m in model.modules())


def export(model, path, shape, opset, *, as_trained=False, dynamic_axes=None):
    # PRESERVE skips the exporter's pass that folds batch norms into convolutions, and keeps the
    # training flag that build() set on attention modules.
    keep = as_trained or has_fused_attention(model)
    torch.onnx.export(
        model,
        torch.rand(shape),
        path,
        opset_version=opset,
        input_names=["x"],
        output_names=["out", "aux"] if hasattr(model, "aux_classifier") else ["y"],
        dynamic_axes=dynamic_axes,
        do_constant_folding=not as_trained,
        training=torch.onnx.TrainingMode.PRESERVE if keep else torch.onnx.TrainingMode.EVAL,
    )


def trace(model, path, shape):
    torch.jit.trace(model, torch.rand(shape), strict=False, check_trace=False).save(path)


def script(model, path, _):
    torch.jit.script(model).save(path)


def make_torchscript(folder, name, suffix, write):
    arch, _, shape, extra = PLAIN[name]
    folder.make(name + suffix, "tv_", lambda path: write(build(arch, **extra), path, shape), ".pt")


def batch_norm_statistics(model):
    """Elements of running mean and variance: in the file they are initializers too."""
    return sum(b.numel() for name, b in model.named_buffers() if ".running_" in "." + name)


def export_as_trained(path, arch, opset, trainable):
    model = build(arch)
    assert sum(p.numel() for p in model.parameters()) == trainable
    export(model, path, IMAGE, opset, as_trained=True)
    held = initializer_elements(path)
    expected = trainable + batch_norm_statistics(model)
    assert held == expected, f"{arch}: the file holds {held} float elements, expected {expected}"


def export_default(path, arch):
    model = build(arch, looks_trained=False)
    export(model, path, IMAGE, DEFAULT_OPSET, dynamic_axes=DYNAMIC_BATCH)


def main():
    arguments = parse_arguments(__doc__)
    folder = ModelFolder(arguments.out, arguments.files)
    for name, (arch, opset, shape, extra) in PLAIN.items():
        folder.make(name, "tv_", lambda path: export(build(arch, **extra), path, shape, opset))
    folder.make(
        "resnet18_dynamic",
        "tv_",
        lambda path: export(build("resnet18"), path, IMAGE, 16, dynamic_axes=DYNAMIC_IMAGE),
    )
    for name, (arch, opset, trainable) in AS_TRAINED.items():
        folder.make(name, "tv_", lambda path: export_as_trained(path, arch, opset, trainable))
    for arch in DEFAULTS:
        folder.make(f"{arch}_default", "tv_", lambda path: export_default(path, arch))
    for name in TRACED:
        make_torchscript(folder, name, "", trace)
    for name in SCRIPTED:
        make_torchscript(folder, name, "_scripted", script)
    return 0


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
