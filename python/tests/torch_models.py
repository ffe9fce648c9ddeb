"""Models of transformers with their real code, small and with random weights."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from torch import nn

Model = tuple[nn.Module, dict[str, torch.Tensor]]

transformers.logging.set_verbosity_error()

_ENCODER = {
    "vocab_size": 100,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 64,
}
_DECODER = {**_ENCODER, "num_key_value_heads": 2}
_IMAGE = {
    "image_size": 64,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
_GPT = {"vocab_size": 100, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
_STAGES = {"hidden_sizes": [8, 16, 16, 16], "depths": [1, 1, 1, 1]}


def _text(config: str, model: str, **settings: Any) -> Callable[[], Model]:
    def make() -> Model:
        made = getattr(transformers, model)(getattr(transformers, config)(**settings))
        ids = torch.randint(3, 100, (2, 16))
        return made, {"input_ids": ids, "labels": ids.clone()}

    return make


def _image(config: str, model: str, **settings: Any) -> Callable[[], Model]:
    def make() -> Model:
        made = getattr(transformers, model)(getattr(transformers, config)(**settings))
        pixels = torch.randn(2, 3, 64, 64)
        return made, {"pixel_values": pixels, "labels": torch.tensor([0, 1])}

    return make


def _whisper() -> Model:
    config = transformers.WhisperConfig(
        vocab_size=100, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=80,
        max_source_positions=100, max_target_positions=64, pad_token_id=0, bos_token_id=1,
        eos_token_id=2, decoder_start_token_id=1, suppress_tokens=None,
        begin_suppress_tokens=None,
    )  # fmt: skip
    model = transformers.WhisperForConditionalGeneration(config)
    return model, {
        "input_features": torch.randn(2, 80, 200),
        "labels": torch.randint(3, 100, (2, 8)),
    }


MODELS: dict[str, Callable[[], Model]] = {
    "bert": _text("BertConfig", "BertForMaskedLM", **_ENCODER),
    "distilbert": _text(
        "DistilBertConfig", "DistilBertForMaskedLM",
        vocab_size=100, dim=32, n_layers=2, n_heads=4, hidden_dim=64,
    ),
    "roberta": _text("RobertaConfig", "RobertaForMaskedLM", **_ENCODER),
    "gpt2": _text("GPT2Config", "GPT2LMHeadModel", **_GPT),
    "openai-gpt": _text("OpenAIGPTConfig", "OpenAIGPTLMHeadModel", **_GPT),
    "xlnet": _text(
        "XLNetConfig", "XLNetLMHeadModel",
        vocab_size=100, d_model=32, n_layer=2, n_head=4, d_inner=64,
    ),
    "xlm": _text(
        "XLMConfig", "XLMWithLMHeadModel",
        vocab_size=100, emb_dim=32, n_layers=2, n_heads=4, max_position_embeddings=64,
    ),
    "ctrl": _text("CTRLConfig", "CTRLLMHeadModel", **_GPT, dff=64),
    "t5": _text(
        "T5Config", "T5ForConditionalGeneration",
        vocab_size=100, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
        decoder_start_token_id=0,
    ),
    "albert": _text("AlbertConfig", "AlbertForMaskedLM", **_ENCODER, embedding_size=16),
    "deberta": _text(
        "DebertaV2Config", "DebertaV2ForMaskedLM",
        **_ENCODER, relative_attention=True, pos_att_type=["c2p", "p2c"],
    ),
    "llama": _text("LlamaConfig", "LlamaForCausalLM", **_DECODER),
    "mixtral": _text("MixtralConfig", "MixtralForCausalLM", **_DECODER, num_local_experts=4),
    "gemma": _text("Gemma2Config", "Gemma2ForCausalLM", **_DECODER, head_dim=8),
    "qwen": _text("Qwen2Config", "Qwen2ForCausalLM", **_DECODER),
    "mamba": _text(
        "MambaConfig", "MambaForCausalLM",
        vocab_size=100, hidden_size=32, num_hidden_layers=2, state_size=8,
    ),
    "vit": _image("ViTConfig", "ViTForImageClassification", **_IMAGE),
    "swin": _image(
        "SwinConfig", "SwinForImageClassification",
        image_size=64, embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=4,
    ),
    "resnet": _image(
        "ResNetConfig", "ResNetForImageClassification",
        embedding_size=16, hidden_sizes=[16, 32], depths=[1, 1],
    ),
    "convnext": _image("ConvNextConfig", "ConvNextForImageClassification", **_STAGES),
    "mobilenet": _image(
        "MobileNetV2Config", "MobileNetV2ForImageClassification", depth_multiplier=0.35
    ),
    "efficientnet": _image(
        "EfficientNetConfig", "EfficientNetForImageClassification",
        width_coefficient=0.5, depth_coefficient=0.5, hidden_dim=640,
    ),
    "poolformer": _image(
        "PoolFormerConfig", "PoolFormerForImageClassification",
        hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1],
    ),
    "whisper": _whisper,
}  # fmt: skip
