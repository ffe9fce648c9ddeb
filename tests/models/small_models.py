"""Small torch models for operators that the big ones lack: recurrence, resizing, Einsum."""

import torch
from torch import nn
from torch.nn import functional


class Recurrent(nn.Module):
    """Embedding, two-way LSTM of two layers, GRU, classifier of the last step."""

    def __init__(self, vocabulary=100, width=32, hidden=48, classes=7):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, hidden, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.classifier = nn.Linear(hidden, classes)

    def forward(self, input_ids):
        x, _ = self.lstm(self.embedding(input_ids))
        x, last = self.gru(x)
        return self.classifier(x[:, -1]), last


def double_convolution(channels_in, channels_out):
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, 3, padding=1),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(),
        nn.Conv2d(channels_out, channels_out, 3, padding=1),
        nn.ReLU(),
    )


class UNet(nn.Module):
    """Two levels; one goes up by transposed convolution, one by resizing to the other's size."""

    def __init__(self, classes=5):
        super().__init__()
        self.down1 = double_convolution(3, 16)
        self.down2 = double_convolution(16, 32)
        self.bottom = double_convolution(32, 64)
        self.up2 = nn.ConvTranspose2d(64, 32, 2, stride=2)
        self.join2 = double_convolution(64, 32)
        self.join1 = double_convolution(48, 16)
        self.head = nn.Conv2d(16, classes, 1)

    def forward(self, x):
        level1 = self.down1(x)
        level2 = self.down2(functional.max_pool2d(level1, 2))
        bottom = self.bottom(functional.max_pool2d(level2, 2))
        up = self.up2(bottom)
        # Odd sizes lose a row or a column on the way down; padding brings it back.
        up = functional.pad(up, [0, level2.size(3) - up.size(3), 0, level2.size(2) - up.size(2)])
        up = self.join2(torch.cat([level2, up], dim=1))
        size = level1.shape[-2:]
        up = functional.interpolate(up, size=size, mode="bilinear", align_corners=False)
        up = self.join1(torch.cat([level1, up], dim=1))
        half = functional.interpolate(self.head(up), scale_factor=0.5, mode="nearest")
        return self.head(up), half


class EinsumAttention(nn.Module):
    """Attention written with Einsum only: projection, scores, mix, and one full contraction."""

    def __init__(self, width=24, heads=4):
        super().__init__()
        size = (width, heads, width // heads)
        self.query, self.key, self.value = (nn.Parameter(torch.randn(size) * 0.1) for _ in range(3))
        self.output = nn.Parameter(torch.randn(heads, width // heads, width) * 0.1)

    def forward(self, x):
        weights = (self.query, self.key, self.value)
        query, key, value = (torch.einsum("blw,whd->blhd", x, weight) for weight in weights)
        scores = torch.softmax(torch.einsum("bqhd,bkhd->bhqk", query, key), dim=-1)
        mixed = torch.einsum("bhqk,bkhd->bqhd", scores, value)
        y = torch.einsum("blhd,hdw->blw", mixed, self.output)
        return y, torch.einsum("blw,blw->b", x, y)
