"""Transformer-XL (Dai et al. 2019), which transformers 5 no longer has, on its first segment.

Modules are named as in the zoo's transfo-xl-wt103, and hold as many parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

#: Each cluster of rarer words has an embedding that is this many times narrower.
_NARROWING = 4


@dataclass(frozen=True)
class TransformerXLConfig:
    layers: int
    width: int
    heads: int
    hidden: int
    cutoffs: tuple[int, ...]  #: Where a cluster of rarer words begins.
    vocabulary: int

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    @property
    def ends(self) -> tuple[int, ...]:
        return (0, *self.cutoffs, self.vocabulary)


class AdaptiveEmbedding(nn.Module):
    """Rare words have narrow embeddings. Every cluster looks at every word, so that no shape
    depends on data."""

    def __init__(self, config: TransformerXLConfig) -> None:
        super().__init__()
        self.ends = config.ends
        self.scale = math.sqrt(config.width)
        self.emb_layers = nn.ModuleList()
        self.emb_projs = nn.ParameterList()
        for place in range(len(config.ends) - 1):
            width = max(config.width // _NARROWING**place, 1)
            words = config.ends[place + 1] - config.ends[place]
            self.emb_layers.append(nn.Embedding(words, width))
            self.emb_projs.append(torch.randn(config.width, width) * 0.02)

    def forward(self, ids: Tensor) -> Tensor:
        total: Tensor | None = None
        for place, (layer, projection) in enumerate(
            zip(self.emb_layers, self.emb_projs, strict=True)
        ):
            offset = ids - self.ends[place]
            inside = (offset >= 0) & (ids < self.ends[place + 1])
            wide = functional.linear(layer(torch.where(inside, offset, 0)), projection)
            wide = torch.where(inside.unsqueeze(-1), wide, 0.0)
            total = wide if total is None else total + wide
        assert total is not None
        return total * self.scale


class RelativeAttention(nn.Module):
    """Scores are sums of what a token looks for and of how far it looks back."""

    def __init__(self, config: TransformerXLConfig) -> None:
        super().__init__()
        self.heads, self.head_width = config.heads, config.head_width
        total = self.heads * self.head_width
        self.qkv_net = nn.Linear(config.width, 3 * total, bias=False)
        self.r_net = nn.Linear(config.width, total, bias=False)
        self.o_net = nn.Linear(total, config.width, bias=False)
        self.layer_norm = nn.LayerNorm(config.width)
        self.r_w_bias = nn.Parameter(torch.randn(self.heads, self.head_width) * 0.02)
        self.r_r_bias = nn.Parameter(torch.randn(self.heads, self.head_width) * 0.02)

    def forward(self, tokens: Tensor, positions: Tensor, hidden: Tensor) -> Tensor:
        batch, length, _ = tokens.shape
        parts = self.qkv_net(tokens).view(batch, length, 3, self.heads, self.head_width)
        query, key, value = parts.unbind(2)
        places = self.r_net(positions).view(length, self.heads, self.head_width)
        by_content = (query + self.r_w_bias).transpose(1, 2) @ key.permute(0, 2, 3, 1)
        by_place = (query + self.r_r_bias).transpose(1, 2) @ places.permute(1, 2, 0)
        scores = (by_content + _shifted(by_place)) / math.sqrt(self.head_width)
        shares = scores.masked_fill(hidden, -math.inf).softmax(-1)
        mixed = (shares @ value.transpose(1, 2)).transpose(1, 2).reshape(batch, length, -1)
        normed: Tensor = self.layer_norm(tokens + self.o_net(mixed))
        return normed


class FeedForward(nn.Module):
    def __init__(self, config: TransformerXLConfig) -> None:
        super().__init__()
        self.CoreNet = nn.Sequential(
            nn.Linear(config.width, config.hidden),
            nn.ReLU(),
            nn.Dropout(0.0),
            nn.Linear(config.hidden, config.width),
        )
        self.layer_norm = nn.LayerNorm(config.width)

    def forward(self, tokens: Tensor) -> Tensor:
        normed: Tensor = self.layer_norm(tokens + self.CoreNet(tokens))
        return normed


class TransformerXLLayer(nn.Module):
    def __init__(self, config: TransformerXLConfig) -> None:
        super().__init__()
        self.dec_attn = RelativeAttention(config)
        self.pos_ff = FeedForward(config)

    def forward(self, tokens: Tensor, positions: Tensor, hidden: Tensor) -> Tensor:
        output: Tensor = self.pos_ff(self.dec_attn(tokens, positions, hidden))
        return output


class TransformerXLModel(nn.Module):
    def __init__(self, config: TransformerXLConfig) -> None:
        super().__init__()
        self.width = config.width
        self.word_emb = AdaptiveEmbedding(config)
        self.layers = nn.ModuleList(TransformerXLLayer(config) for _ in range(config.layers))

    def forward(self, input_ids: Tensor) -> Tensor:
        length = input_ids.shape[1]
        tokens: Tensor = self.word_emb(input_ids)
        positions = _sinusoids(length, self.width, tokens)
        hidden = torch.ones(length, length, dtype=torch.bool, device=tokens.device).triu(1)
        for layer in self.layers:
            tokens = layer(tokens, positions, hidden)
        return tokens


class TransformerXLLMHeadModel(nn.Module):
    """With an adaptive softmax that shares the weights of the embeddings."""

    def __init__(self, config: TransformerXLConfig) -> None:
        super().__init__()
        self.transformer = TransformerXLModel(config)
        clusters = len(config.cutoffs)
        self.cluster_weight = nn.Parameter(torch.randn(clusters, config.width) * 0.02)
        self.cluster_bias = nn.Parameter(torch.zeros(clusters))

    def forward(self, input_ids: Tensor) -> Tensor:
        tokens = self.transformer(input_ids)
        embedding = self.transformer.word_emb
        frequent = self._logits(tokens, 0)
        clusters = functional.linear(tokens, self.cluster_weight, self.cluster_bias)
        head = torch.cat([frequent, clusters], -1).log_softmax(-1)
        words = frequent.shape[-1]
        parts = [head[..., :words]]
        for place in range(1, len(embedding.emb_layers)):
            rare = self._logits(tokens, place).log_softmax(-1)
            parts.append(rare + head[..., words + place - 1, None])
        return torch.cat(parts, -1)

    def _logits(self, tokens: Tensor, place: int) -> Tensor:
        embedding = self.transformer.word_emb
        narrow = tokens @ embedding.emb_projs[place]
        layer = embedding.emb_layers[place]
        assert isinstance(layer, nn.Embedding)
        return functional.linear(narrow, layer.weight)


def _shifted(scores: Tensor) -> Tensor:
    """From distances, largest first, to positions of keys: row i moves left by length - 1 - i."""
    batch, heads, rows, columns = scores.shape
    padded = functional.pad(scores, (1, 0)).view(batch, heads, columns + 1, rows)
    return padded[:, :, 1:].reshape(batch, heads, rows, columns)


def _sinusoids(length: int, width: int, like: Tensor) -> Tensor:
    distances = torch.arange(length - 1, -1, -1, device=like.device, dtype=like.dtype)
    rates = torch.arange(0, width, 2, device=like.device, dtype=like.dtype) / width
    angles = distances[:, None] / 10000**rates
    return torch.cat([angles.sin(), angles.cos()], -1)
