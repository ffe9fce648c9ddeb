#!/usr/bin/env python3
"""How much of live PyTorch models their operators explain, in inference and in training steps.

  PYTHONPATH=build/check/python .deps/python/bin/python bench/torch_attribution.py --budget 20s
  … bench/torch_attribution.py --only bert,gpt2 --train --budget 60s

Models are built from configurations of transformers, with random weights. One thread; let nothing
else run.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import jouletree

Built = tuple[torch.nn.Module, dict[str, Any]]


def _tokens(vocabulary: int, length: int = 128, batch: int = 1) -> torch.Tensor:
    return torch.randint(0, vocabulary, (batch, length))


def _pixels(size: int = 224) -> torch.Tensor:
    return torch.randn(1, 3, size, size)


def _models(small: bool) -> dict[str, Callable[[], Built]]:
    import transformers as tr

    def text(model: str, config: str, little: dict[str, Any], **extra: Any) -> Callable[[], Built]:
        def build() -> Built:
            made = getattr(tr, config)(**(little if small else {}), **extra)
            return getattr(tr, model)(made), {"input_ids": _tokens(min(made.vocab_size, 1000))}

        return build

    def image(model: str, config: str, little: dict[str, Any]) -> Callable[[], Built]:
        def build() -> Built:
            made = getattr(tr, config)(**(little if small else {}))
            return getattr(tr, model)(made), {"pixel_values": _pixels()}

        return build

    bert = {
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 512,
    }
    gpt = {"n_embd": 128, "n_layer": 2, "n_head": 2}

    def t5() -> Built:
        little = {"d_model": 128, "d_ff": 256, "num_layers": 2, "num_heads": 2, "d_kv": 64}
        made = tr.T5Config(**(little if small else {}), use_cache=False)
        ids = _tokens(1000)
        return tr.T5Model(made), {"input_ids": ids, "decoder_input_ids": ids[:, :32].clone()}

    def whisper() -> Built:
        layers = 2 if small else 4
        made = tr.WhisperConfig(
            d_model=384,
            encoder_layers=layers,
            decoder_layers=layers,
            encoder_attention_heads=6,
            decoder_attention_heads=6,
            encoder_ffn_dim=1536,
            decoder_ffn_dim=1536,
            use_cache=False,
        )
        return tr.WhisperModel(made), {
            "input_features": torch.randn(1, 80, 3000),
            "decoder_input_ids": _tokens(1000, 16),
        }

    def llama() -> Built:
        made = tr.LlamaConfig(
            hidden_size=512,
            intermediate_size=1376,
            num_hidden_layers=2 if small else 8,
            num_attention_heads=8,
            num_key_value_heads=4,
            vocab_size=32000,
        )
        return tr.LlamaModel(made), {"input_ids": _tokens(1000), "use_cache": False}

    def ctrl() -> Built:
        little = {"n_embd": 128, "dff": 256, "n_layer": 2, "n_head": 2}
        # The published one has 1.6 billion parameters.
        made = tr.CTRLConfig(
            **(little if small else {"n_embd": 768, "dff": 4096, "n_layer": 12, "n_head": 12}),
            vocab_size=10000,
        )
        return tr.CTRLModel(made), {"input_ids": _tokens(1000), "use_cache": False}

    def xlm() -> Built:
        made = tr.XLMConfig(
            emb_dim=128 if small else 768, n_layers=2 if small else 6, n_heads=2 if small else 12
        )
        return tr.XLMModel(made), {"input_ids": _tokens(1000)}

    def xlnet() -> Built:
        made = tr.XLNetConfig(
            d_model=128 if small else 768,
            n_layer=2 if small else 12,
            n_head=2 if small else 12,
            d_inner=512 if small else 3072,
        )
        return tr.XLNetModel(made), {"input_ids": _tokens(1000)}

    return {
        "bert": text("BertModel", "BertConfig", bert),
        "distilbert": text(
            "DistilBertModel",
            "DistilBertConfig",
            {"dim": 128, "n_layers": 2, "n_heads": 2, "hidden_dim": 512},
        ),
        "roberta": text("RobertaModel", "RobertaConfig", bert),
        "gpt2": text("GPT2Model", "GPT2Config", gpt, use_cache=False),
        "openai-gpt": text("OpenAIGPTModel", "OpenAIGPTConfig", gpt),
        "xlnet": xlnet,
        "xlm": xlm,
        "ctrl": ctrl,
        "t5": t5,
        "vit": image("ViTModel", "ViTConfig", {**bert}),
        "swin": image(
            "SwinModel",
            "SwinConfig",
            {"embed_dim": 32, "depths": [1, 1, 2, 1], "num_heads": [1, 2, 4, 8]},
        ),
        "resnet": image("ResNetModel", "ResNetConfig", {"depths": [1, 1, 1, 1]}),
        "convnext": image(
            "ConvNextModel",
            "ConvNextConfig",
            {"depths": [1, 1, 2, 1], "hidden_sizes": [32, 64, 128, 256]},
        ),
        "mobilenet-v2": image("MobileNetV2Model", "MobileNetV2Config", {}),
        "whisper": whisper,
        "llama": llama,
    }


#: Models whose training step is measured unless --only says otherwise.
TRAINED = ("distilbert", "gpt2", "vit", "resnet", "mobilenet-v2", "llama")


def _loss(output: Any) -> torch.Tensor:
    first = output[0] if not hasattr(output, "last_hidden_state") else output.last_hidden_state
    return first.float().pow(2).mean()


def _measured(name: str, built: Built, train: bool, options: argparse.Namespace) -> dict[str, Any]:
    model, inputs = built
    begin = time.monotonic()
    common = {"budget": options.budget, "baseline": 0, "modules": options.modules}
    if train:
        model.train()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
        profile = jouletree.profile(
            model, inputs, mode="train", loss=_loss, optimizer=optimizer, **common
        )
    else:
        model.eval()
        with torch.no_grad():
            profile = jouletree.profile(model, inputs, **common)
    if options.save:
        profile.save(Path(options.save) / f"{name}{'-train' if train else ''}", replace=True)
    written = json.loads(profile.to_json())
    ledger = written["ledger"]
    whole = ledger["time_s"]["whole"]
    caller = ledger["time_s"].get("caller", {}).get("value")
    return {
        "model": name,
        "operators": ledger["operators"],
        "kinds": ledger["kinds"],
        "not_measured": ledger["failed"] + ledger["left_out"] + ledger["out_of_time"],
        "whole_ms": whole * 1e3,
        "operators_percent": 100 * (ledger["time_s"]["operators"] or 0) / whole,
        "python_percent": None if caller is None else 100 * caller / whole,
        "attribution_percent": 100 * (ledger["time_s"]["attribution"] or 0),
        "seconds": time.monotonic() - begin,
    }


def _row(result: dict[str, Any]) -> str:
    python = "" if result["python_percent"] is None else f"{result['python_percent']:.1f}"
    return (
        f"| {result['model']} | {result['operators']} | {result['kinds']} | "
        f"{result['not_measured']} | "
        f"{result['whole_ms']:.2f} | {result['operators_percent']:.1f} | {python} | "
        f"{result['attribution_percent']:.1f} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="models, separated by commas")
    parser.add_argument("--train", action="store_true", help="training steps instead of inference")
    parser.add_argument("--budget", default="20s")
    parser.add_argument("--small", action="store_true", help="two layers instead of all")
    parser.add_argument("--modules", action="store_true", help="measure modules alone, too")
    parser.add_argument("--save", help="folder for the profiles")
    parser.add_argument("--json", help="file for all figures")
    options = parser.parse_args()
    models = _models(options.small)
    names = options.only.split(",") if options.only else list(TRAINED if options.train else models)
    unknown = [name for name in names if name not in models]
    if unknown:
        parser.error(f"no model is called {', '.join(unknown)}; there are: {', '.join(models)}")
    print(
        "| model | operators | kinds | not measured | whole ms | operators % | Python % | "
        "attribution % |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    results = []
    for name in names:
        torch.manual_seed(1)
        results.append(_measured(name, models[name](), options.train, options))
        print(_row(results[-1]), flush=True)
        gc.collect()
    shares = [result["attribution_percent"] for result in results]
    print(
        f"\nmedian {statistics.median(shares):.1f} %, from {min(shares):.1f} to {max(shares):.1f} %"
    )
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
