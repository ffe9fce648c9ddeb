"""Transformers of the zoo with their real code, heads and random weights.

All but Transformer-XL are built by the package transformers from a configuration; nothing is
downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import zip_longest
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from torch import Tensor, nn

from dataset.transformer_xl import (
    TransformerXLConfig,
    TransformerXLLMHeadModel,
    TransformerXLModel,
)

Inputs = dict[str, Tensor]

_CHOICES = 2  #: Of a multiple-choice question.
_EOS = 1  #: Of T5, whose classifier reads the last token of a sequence.
_LABELS = 5  #: Of tokens.


@dataclass(frozen=True)
class Size:
    batch: int
    length: int

    def __str__(self) -> str:
        return f"{self.batch}x{self.length}"


@dataclass(frozen=True)
class Transformer:
    """One architecture with one head."""

    name: str
    family: str
    head: str
    layers: int
    width: int
    heads: int
    hidden: int
    vocabulary: int
    positions: int = 512

    @property
    def title(self) -> str:
        return f"{self.name} ({self.head})"

    def small(self) -> Transformer:
        """For a quick try: two layers of 64, with the same code."""
        name = self.name + "-small"
        return replace(self, name=name, layers=2, width=64, heads=4, hidden=256, vocabulary=512)

    def for_length(self, length: int) -> Transformer:
        """With positions for so many tokens."""
        return replace(self, positions=max(self.positions, length))


def build(transformer: Transformer) -> nn.Module:
    """A model that is ready to run. Its weights are random, and the same each time."""
    torch.manual_seed(1)
    return _FAMILIES[transformer.family](transformer).eval().requires_grad_(False)


def inputs_of(transformer: Transformer, size: Size) -> Inputs:
    """Random words, the same each time."""
    generator = torch.Generator().manual_seed(size.batch * 100_003 + size.length)
    choices = (_CHOICES,) if transformer.head == "multiple-choice" else ()

    def words() -> Tensor:
        shape = (size.batch, *choices, size.length)
        return torch.randint(3, transformer.vocabulary, shape, generator=generator)

    ids = words()
    if transformer.family != "T5":
        return {"input_ids": ids}
    ids[..., -1] = _EOS
    if transformer.head != "seq2seq-lm":
        return {"input_ids": ids}
    return {"input_ids": ids, "decoder_input_ids": words()}


def _of(
    prefix: str, settings: Callable[[Transformer], dict[str, Any]], **classes: str
) -> Callable[[Transformer], nn.Module]:
    """Builds models of a family; `classes` has those that are not called as usual."""
    usual = {
        "masked-lm": "ForMaskedLM",
        "causal-lm": "LMHeadModel",
        "sequence-classification": "ForSequenceClassification",
        "token-classification": "ForTokenClassification",
        "question-answering": "ForQuestionAnswering",
        "multiple-choice": "ForMultipleChoice",
        "next-sentence": "ForNextSentencePrediction",
        "seq2seq-lm": "ForConditionalGeneration",
        "none": "Model",
    }
    named = {**usual, **{head.replace("_", "-"): name for head, name in classes.items()}}

    def make(transformer: Transformer) -> nn.Module:
        library = import_module("transformers")
        labels = _LABELS if transformer.head == "token-classification" else 2
        config = getattr(library, prefix + "Config")(
            vocab_size=transformer.vocabulary, num_labels=labels, **settings(transformer)
        )
        model: nn.Module = getattr(library, prefix + named[transformer.head])(config)
        return model

    return make


def _encoder(one: Transformer) -> dict[str, Any]:
    return {
        "hidden_size": one.width,
        "num_hidden_layers": one.layers,
        "num_attention_heads": one.heads,
        "intermediate_size": one.hidden,
        "max_position_embeddings": one.positions,
    }


def _roberta(one: Transformer) -> dict[str, Any]:
    # Positions begin behind that of padding.
    return {
        **_encoder(one),
        "max_position_embeddings": one.positions + 2,
        "type_vocab_size": 1,
        "pad_token_id": 1,
    }


def _albert(one: Transformer) -> dict[str, Any]:
    return {**_encoder(one), "embedding_size": min(128, one.width)}


def _distilbert(one: Transformer) -> dict[str, Any]:
    return {
        "dim": one.width,
        "n_layers": one.layers,
        "n_heads": one.heads,
        "hidden_dim": one.hidden,
        "max_position_embeddings": one.positions,
    }


def _gpt(one: Transformer) -> dict[str, Any]:
    return {
        "n_embd": one.width,
        "n_layer": one.layers,
        "n_head": one.heads,
        "n_positions": one.positions,
        "pad_token_id": 0,
    }


def _gpt2(one: Transformer) -> dict[str, Any]:
    return {**_gpt(one), "n_inner": one.hidden, "use_cache": False}


def _ctrl(one: Transformer) -> dict[str, Any]:
    return {**_gpt(one), "dff": one.hidden, "use_cache": False}


def _xlnet(one: Transformer) -> dict[str, Any]:
    return {
        "d_model": one.width,
        "n_layer": one.layers,
        "n_head": one.heads,
        "d_inner": one.hidden,
        "use_mems_eval": False,
    }


def _xlm(one: Transformer) -> dict[str, Any]:
    return {
        "emb_dim": one.width,
        "n_layers": one.layers,
        "n_heads": one.heads,
        "max_position_embeddings": one.positions,
    }


def _t5(one: Transformer) -> dict[str, Any]:
    return {
        "d_model": one.width,
        "d_kv": one.width // one.heads,
        "d_ff": one.hidden,
        "num_layers": one.layers,
        "num_heads": one.heads,
        "eos_token_id": _EOS,
        "pad_token_id": 0,
        "decoder_start_token_id": 0,
        "use_cache": False,
    }


def _transformer_xl(one: Transformer) -> nn.Module:
    shares = (20_000 / 267_735, 40_000 / 267_735, 200_000 / 267_735)
    cutoffs = tuple(round(one.vocabulary * share) for share in shares)
    config = TransformerXLConfig(
        one.layers, one.width, one.heads, one.hidden, cutoffs, one.vocabulary
    )
    return (TransformerXLModel if one.head == "none" else TransformerXLLMHeadModel)(config)


_FAMILIES: dict[str, Callable[[Transformer], nn.Module]] = {
    "BERT": _of("Bert", _encoder),
    "RoBERTa": _of("Roberta", _roberta),
    "XLM-RoBERTa": _of("XLMRoberta", _roberta),
    "DistilBERT": _of("DistilBert", _distilbert),
    "ALBERT": _of("Albert", _albert),
    "GPT": _of("OpenAIGPT", _gpt),
    "GPT-2": _of("GPT2", _gpt2),
    "CTRL": _of("CTRL", _ctrl),
    "XLNet": _of("XLNet", _xlnet, question_answering="ForQuestionAnsweringSimple"),
    "XLM": _of(
        "XLM",
        _xlm,
        masked_lm="WithLMHeadModel",
        question_answering="ForQuestionAnsweringSimple",
    ),
    "T5": _of("T5", _t5, none="EncoderModel"),
    "Transformer-XL": _transformer_xl,
}

_LM, _SEQUENCE, _TOKEN = "masked-lm", "sequence-classification", "token-classification"
_ANSWER, _CHOICE, _NEXT = "question-answering", "multiple-choice", "next-sentence"
_CAUSAL, _SEQ2SEQ, _NONE = "causal-lm", "seq2seq-lm", "none"
_BERT_HEADS = (_LM, _SEQUENCE, _TOKEN, _ANSWER, _NEXT, _CHOICE)

#: Family, name, layers, width, heads, hidden, vocabulary, tasks. Sizes are those of the zoo; of
#: models that would take minutes, a name ends in how many of their layers are built.
_ROWS: tuple[tuple[str, str, int, int, int, int, int, tuple[str, ...]], ...] = (
    ("BERT", "bert-base-uncased", 12, 768, 12, 3072, 30522, _BERT_HEADS),
    ("BERT", "bert-base-cased", 12, 768, 12, 3072, 28996, (_TOKEN,)),
    ("BERT", "bert-base-multilingual-cased", 12, 768, 12, 3072, 119547, (_LM,)),
    ("BERT", "bert-large-uncased-l6", 6, 1024, 16, 4096, 30522, (_ANSWER,)),
    ("RoBERTa", "roberta-base", 12, 768, 12, 3072, 50265, (_LM, _SEQUENCE, _ANSWER)),
    ("RoBERTa", "distilroberta-base", 6, 768, 12, 3072, 50265, (_SEQUENCE, _LM)),
    ("RoBERTa", "roberta-large-l6", 6, 1024, 16, 4096, 50265, (_CHOICE,)),
    ("XLM-RoBERTa", "xlm-roberta-base", 12, 768, 12, 3072, 250002, (_TOKEN, _LM)),
    ("XLM-RoBERTa", "xlm-roberta-large-l4", 4, 1024, 16, 4096, 250002, (_SEQUENCE,)),
    ("DistilBERT", "distilbert-base-uncased", 6, 768, 12, 3072, 30522, (_SEQUENCE, _ANSWER, _LM)),
    ("DistilBERT", "distilbert-base-cased", 6, 768, 12, 3072, 28996, (_ANSWER,)),
    ("DistilBERT", "distilbert-base-multilingual-cased", 6, 768, 12, 3072, 119547, (_TOKEN,)),
    ("ALBERT", "albert-base-v2", 12, 768, 12, 3072, 30000, (_LM, _SEQUENCE, _ANSWER)),
    ("ALBERT", "albert-large-v2-l8", 8, 1024, 16, 4096, 30000, (_TOKEN,)),
    ("ALBERT", "albert-xlarge-v2-l3", 3, 2048, 16, 8192, 30000, (_CHOICE,)),
    ("GPT", "openai-gpt", 12, 768, 12, 3072, 40478, (_CAUSAL, _SEQUENCE)),
    ("GPT-2", "gpt2", 12, 768, 12, 3072, 50257, (_CAUSAL, _TOKEN, _ANSWER)),
    ("GPT-2", "distilgpt2", 6, 768, 12, 3072, 50257, (_CAUSAL, _SEQUENCE)),
    ("GPT-2", "gpt2-medium-l6", 6, 1024, 16, 4096, 50257, (_SEQUENCE,)),
    ("GPT-2", "gpt2-large-l4", 4, 1280, 20, 5120, 50257, (_CAUSAL,)),
    ("CTRL", "ctrl-l3", 3, 1280, 16, 8192, 246534, (_CAUSAL, _SEQUENCE)),
    ("XLNet", "xlnet-base-cased", 12, 768, 12, 3072, 32000, (_CAUSAL, _SEQUENCE, _ANSWER)),
    ("XLNet", "xlnet-large-cased-l6", 6, 1024, 16, 4096, 32000, (_TOKEN,)),
    ("XLM", "xlm-mlm-en-2048-l3", 3, 2048, 16, 8192, 30145, (_LM, _SEQUENCE)),
    ("XLM", "xlm-mlm-17-1280-l4", 4, 1280, 16, 5120, 200000, (_ANSWER, _TOKEN)),
    ("Transformer-XL", "transfo-xl-wt103-l4", 4, 1024, 16, 4096, 267735, (_CAUSAL, _NONE)),
    ("T5", "t5-small", 6, 512, 8, 2048, 32128, (_SEQ2SEQ, _SEQUENCE, _NONE)),
    ("T5", "t5-base", 12, 768, 12, 3072, 32128, (_SEQ2SEQ, _TOKEN)),
    ("T5", "t5-large-l4", 4, 1024, 16, 4096, 32128, (_SEQ2SEQ, _ANSWER)),
)


def _miniatures() -> Iterator[Transformer]:
    """The small ones that were published with BERT, each with another head."""
    for place, (layers, width) in enumerate(
        (layers, width) for layers in (2, 4, 8, 12) for width in (128, 256, 512)
    ):
        head = _BERT_HEADS[place % len(_BERT_HEADS)]
        name = f"bert-l{layers}-h{width}"
        yield Transformer(name, "BERT", head, layers, width, width // 64, 4 * width, 30522)


def transformers() -> list[Transformer]:
    """All of them, a family after the other in turn, so that the first few show many kinds."""
    by_family: dict[str, list[Transformer]] = {family: [] for family in _FAMILIES}
    for family, name, *sizes, tasks in _ROWS:
        by_family[family] += [Transformer(name, family, task, *sizes) for task in tasks]
    by_family["BERT"] += _miniatures()
    return [one for turn in zip_longest(*by_family.values()) for one in turn if one is not None]
