"""Plain torch transformers whose module names follow the Hugging Face layout.

Shapes are read from the tensors at run time (size(), expand, slices of buffers), as model code in
the wild does, so that exports hold the Shape, Gather, Concat, Reshape chains a reader must follow.
"""

import math

import torch
from torch import nn


def split_heads(x, heads):
    batch, length, width = x.size()
    return x.view(batch, length, heads, width // heads).permute(0, 2, 1, 3)


def join_heads(x):
    x = x.permute(0, 2, 1, 3).contiguous()
    batch, length, heads, width = x.size()
    return x.view(batch, length, heads * width)


def additive_mask(mask, dtype):
    """1 for a token to see, 0 for padding -> 0 or the lowest number, to add to attention scores."""
    return (1.0 - mask[:, None, None, :].to(dtype)) * torch.finfo(dtype).min


class BertEmbeddings(nn.Module):
    def __init__(self, vocabulary, positions, width):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocabulary, width)
        self.position_embeddings = nn.Embedding(positions, width)
        self.token_type_embeddings = nn.Embedding(2, width)
        self.LayerNorm = nn.LayerNorm(width, eps=1e-12)
        self.register_buffer("position_ids", torch.arange(positions).unsqueeze(0))

    def forward(self, input_ids, token_type_ids):
        positions = self.position_ids[:, : input_ids.size(1)]
        x = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        return self.LayerNorm(x + self.position_embeddings(positions))


class BertSelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x, mask):
        query = split_heads(self.query(x), self.heads)
        key = split_heads(self.key(x), self.heads)
        value = split_heads(self.value(x), self.heads)
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(query.size(-1))
        return join_heads(torch.matmul(torch.softmax(scores + mask, dim=-1), value))


class BertOutput(nn.Module):
    """Projection, residual, norm: it ends the attention block and the feed-forward block alike."""

    def __init__(self, inner, width):
        super().__init__()
        self.dense = nn.Linear(inner, width)
        self.LayerNorm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x, residual):
        return self.LayerNorm(self.dense(x) + residual)


class BertAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.self = BertSelfAttention(width, heads)
        self.output = BertOutput(width, width)

    def forward(self, x, mask):
        return self.output(self.self(x, mask), x)


class BertIntermediate(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.dense = nn.Linear(width, inner)

    def forward(self, x):
        return nn.functional.gelu(self.dense(x))


class BertLayer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.attention = BertAttention(width, heads)
        self.intermediate = BertIntermediate(width, inner)
        self.output = BertOutput(inner, width)

    def forward(self, x, mask):
        x = self.attention(x, mask)
        return self.output(self.intermediate(x), x)


class BertEncoder(nn.Module):
    def __init__(self, width, heads, inner, layers):
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(width, heads, inner) for _ in range(layers))

    def forward(self, x, mask):
        for layer in self.layer:
            x = layer(x, mask)
        return x


class BertPooler(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dense = nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.dense(x[:, 0]))


class Bert(nn.Module):
    def __init__(self, width=768, heads=12, inner=3072, layers=12, vocabulary=30522, positions=512):
        super().__init__()
        self.embeddings = BertEmbeddings(vocabulary, positions, width)
        self.encoder = BertEncoder(width, heads, inner, layers)
        self.pooler = BertPooler(width)

    def forward(self, input_ids, attention_mask, token_type_ids):
        x = self.embeddings(input_ids, token_type_ids)
        x = self.encoder(x, additive_mask(attention_mask, x.dtype))
        return x, self.pooler(x)
