"""How long counting a live module takes: jt.inspect and thop on the same models.

thop runs the model; JouleTree thinks it through with tensors that have no data. Sizes are those
that people use, because a toy is no work for either: `small` is one all the same.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
import transformers

import jouletree as jt
from python_peers.timing import alternated, summary

Model = tuple[torch.nn.Module, torch.Tensor]


def _text(config: str, model: str, **settings: Any) -> Callable[[], Model]:
    def make() -> Model:
        made = getattr(transformers, model)(getattr(transformers, config)(**settings))
        return made.eval(), torch.randint(3, 100, (1, 128))

    return make


def _image(config: str, model: str, **settings: Any) -> Callable[[], Model]:
    def make() -> Model:
        made = getattr(transformers, model)(getattr(transformers, config)(**settings))
        return made.eval(), torch.randn(1, 3, 224, 224)

    return make


MODELS: dict[str, Callable[[], Model]] = {
    "small": lambda: (
        torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8)),
        torch.randn(4, 64),
    ),
    "bert-base": _text("BertConfig", "BertModel"),
    "distilbert": _text("DistilBertConfig", "DistilBertModel"),
    "gpt2": _text("GPT2Config", "GPT2LMHeadModel"),
    "resnet-50": _image("ResNetConfig", "ResNetForImageClassification"),
    "mobilenet-v2": _image("MobileNetV2Config", "MobileNetV2ForImageClassification"),
    "convnext-t": _image("ConvNextConfig", "ConvNextForImageClassification"),
    "vit-b": _image("ViTConfig", "ViTForImageClassification"),
    "swin-t": _image("SwinConfig", "SwinForImageClassification"),
}


def main(rounds: int) -> list[str]:
    import thop

    warnings.filterwarnings("ignore")
    missed = []
    print(f"{'model':14} {'jt.inspect ms':>14} {'lowest':>8} {'highest':>8} "
          f"{'thop ms':>10} {'lowest':>8} {'highest':>8} {'ratio':>6}")  # fmt: skip
    for name, make in MODELS.items():
        torch.manual_seed(1)
        model, x = make()
        jobs = {
            "jouletree": lambda model=model, x=x: jt.inspect(model, x).metrics["macs"].value,
            "thop": lambda model=model, x=x: thop.profile(model, inputs=(x,), verbose=False),
        }
        for job in jobs.values():
            job()
        seconds = alternated(jobs, rounds)
        ours, theirs = summary(seconds["jouletree"], 1e-3), summary(seconds["thop"], 1e-3)
        print(f"{name:14} {ours[0]:14.1f} {ours[1]:8.1f} {ours[2]:8.1f} "
              f"{theirs[0]:10.1f} {theirs[1]:8.1f} {theirs[2]:8.1f} "
              f"{theirs[0] / ours[0]:6.2f}", flush=True)  # fmt: skip
        if ours[0] > theirs[0]:
            missed.append(f"jt.inspect of {name} takes {ours[0] / theirs[0]:.2f} times thop's time")
    return missed
