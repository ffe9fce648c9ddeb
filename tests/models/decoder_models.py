"""A GPT-2 like decoder and a T5 like encoder, written as transformer_models.py explains."""

import math

import torch
from torch import nn

from transformer_models import additive_mask, join_heads, split_heads


class InOutLinear(nn.Module):
    """A linear layer that stores its weight as [in, out], as GPT-2 checkpoints do."""

    def __init__(self, width_in, width_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width_in, width_out) * 0.02)
        self.bias = nn.Parameter(torch.zeros(width_out))

    def forward(self, x):
        rows = torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight)
        return rows.view(x.size()[:-1] + (self.bias.numel(),))


class Gpt2Attention(nn.Module):
    def __init__(self, width, heads, positions):
        super().__init__()
        self.heads = heads
        self.width = width
        self.c_attn = InOutLinear(width, 3 * width)
        self.c_proj = InOutLinear(width, width)
        causal = torch.ones(positions, positions, dtype=torch.bool).tril()
        self.register_buffer("bias", causal[None, None], persistent=False)

    def forward(self, x, mask):
        parts = self.c_attn(x).split(self.width, dim=2)
        query, key, value = (split_heads(part, self.heads) for part in parts)
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(value.size(-1))
        length = key.size(-2)
        seen = self.bias[:, :, :length, :length]
        lowest = torch.full([], torch.finfo(scores.dtype).min)
        scores = torch.where(seen, scores, lowest) + mask
        return self.c_proj(join_heads(torch.matmul(torch.softmax(scores, dim=-1), value)))


class Gpt2Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.c_fc = InOutLinear(width, 4 * width)
        self.c_proj = InOutLinear(4 * width, width)

    def forward(self, x):
        x = self.c_fc(x)
        # The tanh form of GELU, spelled out: it exports as Pow, Tanh and friends.
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
        return self.c_proj(0.5 * x * (1.0 + torch.tanh(inner)))


class Gpt2Block(nn.Module):
    def __init__(self, width, heads, positions):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Gpt2Attention(width, heads, positions)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = Gpt2Mlp(width)

    def forward(self, x, mask):
        x = x + self.attn(self.ln_1(x), mask)
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    def __init__(self, width=768, heads=12, layers=12, vocabulary=50257, positions=1024):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(positions, width)
        self.h = nn.ModuleList(Gpt2Block(width, heads, positions) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)

    def forward(self, input_ids, attention_mask):
        positions = torch.arange(0, input_ids.size(-1), dtype=torch.long).unsqueeze(0)
        x = self.wte(input_ids) + self.wpe(positions)
        mask = additive_mask(attention_mask, x.dtype)
        for block in self.h:
            x = block(x, mask)
        return self.ln_f(x)


class T5LayerNorm(nn.Module):
    """Root-mean-square norm without a mean and without a bias."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class T5Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, width, bias=False)
        self.v = nn.Linear(width, width, bias=False)
        self.o = nn.Linear(width, width, bias=False)

    def forward(self, x, bias):
        query, key, value = (split_heads(part(x), self.heads) for part in (self.q, self.k, self.v))
        scores = torch.matmul(query, key.transpose(3, 2)) + bias
        return self.o(join_heads(torch.matmul(torch.softmax(scores, dim=-1), value)))


class T5Block(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.layer_norm_0 = T5LayerNorm(width)
        self.SelfAttention = T5Attention(width, heads)
        self.layer_norm_1 = T5LayerNorm(width)
        self.wi = nn.Linear(width, inner, bias=False)
        self.wo = nn.Linear(inner, width, bias=False)

    def forward(self, x, bias):
        x = x + self.SelfAttention(self.layer_norm_0(x), bias)
        return x + self.wo(torch.relu(self.wi(self.layer_norm_1(x))))


class T5Encoder(nn.Module):
    BUCKETS = 32
    FARTHEST = 128

    def __init__(self, width=512, heads=8, inner=2048, layers=6, vocabulary=32128):
        super().__init__()
        self.shared = nn.Embedding(vocabulary, width)
        self.relative_attention_bias = nn.Embedding(self.BUCKETS, heads)
        self.block = nn.ModuleList(T5Block(width, heads, inner) for _ in range(layers))
        self.final_layer_norm = T5LayerNorm(width)

    def position_bias(self, length):
        """Near distances have a bucket each, far ones share buckets that widen logarithmically."""
        where = torch.arange(length, dtype=torch.long)
        distance = where[None, :] - where[:, None]
        half = self.BUCKETS // 2
        near = half // 2
        side = (distance > 0).to(torch.long) * half
        distance = torch.abs(distance)
        growth = torch.log(distance.float() / near) / math.log(self.FARTHEST / near)
        far = near + (growth * (half - near)).to(torch.long)
        far = torch.min(far, torch.full_like(far, half - 1))
        buckets = side + torch.where(distance < near, distance, far)
        return self.relative_attention_bias(buckets).permute(2, 0, 1).unsqueeze(0)

    def forward(self, input_ids, attention_mask):
        x = self.shared(input_ids)
        bias = self.position_bias(input_ids.size(1)) + additive_mask(attention_mask, x.dtype)
        for block in self.block:
            x = block(x, bias)
        return self.final_layer_norm(x)
