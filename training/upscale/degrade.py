"""What happens to a photograph on its way to the web: a soft lens, some reduction, sensor noise, a JPEG."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from .reduction import reduction_matrix

KERNELS = ["bicubic", "lanczos", "box", "bilinear"]
KERNEL_CHANCE = [0.6, 0.4 / 3, 0.4 / 3, 0.4 / 3]
# ITU T.81, tables K.1 and K.2.
LUMINANCE = [16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
             18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99]  # fmt: skip
CHROMINANCE = [17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99] + [99] * 32
# JFIF: Y, Cb and Cr of full range, from R, G and B.
YCC = [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]]


class Degradation:
    """float [n, 3, side*scale, side*scale], 0..1, to [n, 3, side, side] of whole bytes / 255; each picture of a batch is
    made worse by a strength of its own, and a part `clean` of them is reduced and nothing else."""

    def __init__(self, scale: int, side: int, device: str, clean: float = 0):
        self.scale, self.side, self.device, self.clean = scale, side, device, clean
        self.reductions = torch.stack([reduction_matrix(side * scale, scale, kernel) for kernel in KERNELS]).to(device)
        self.chances = torch.tensor(KERNEL_CHANCE, device=device)
        self.jpeg = Jpeg(side, device)

    def __call__(self, high: torch.Tensor, random: torch.Generator) -> torch.Tensor:
        n = len(high)
        rand = lambda *shape: torch.rand(n, *shape, device=self.device, generator=random)
        between = lambda low, high: low + (high - low) * rand()
        sigma = torch.where(rand() < 0.4, between(0.3, 0.5 * self.scale + 0.3), 0.01)
        image = blur(high * 255, sigma, 0.5 * self.scale + 0.3).round().clamp(0, 255)
        along = self.reductions[torch.multinomial(self.chances, n, replacement=True, generator=random)].unsqueeze(1)
        low = along @ image @ along.transpose(2, 3)
        noise = lambda channels: torch.randn(n, channels, self.side, self.side, device=self.device, generator=random)
        grey = (rand() < 0.4).view(-1, 1, 1, 1)
        strength = torch.where(rand() < 0.5, between(0.5, 6), 0).view(-1, 1, 1, 1)
        low = (low + strength * torch.where(grey, noise(1), noise(3))).round().clamp(0, 255)
        coded = self.jpeg(low, quality=between(25, 96).floor(), halved=rand() < 2 / 3, random=random)
        low = torch.where((rand() < 0.95).view(-1, 1, 1, 1), coded, low)
        clean = (self.reductions[0] @ (high * 255) @ self.reductions[0].T).round().clamp(0, 255)
        return torch.where((rand() < self.clean).view(-1, 1, 1, 1), clean, low) / 255


class Jpeg:
    """A baseline JPEG and back, for pictures [n, 3, side, side], 0..255. Where its 8x8 grid lies is drawn anew each time."""

    def __init__(self, side: int, device: str):
        self.side, self.padded, self.device = side, (side + 7 + 15) // 16 * 16, device
        k, x = np.arange(8)[:, None], np.arange(8)[None]
        dct = np.cos((2 * x + 1) * k * math.pi / 16) * np.where(k == 0, math.sqrt(1 / 8), 0.5)
        self.dct = torch.tensor(dct, dtype=torch.float32, device=device)
        self.tables = torch.tensor([LUMINANCE, CHROMINANCE], dtype=torch.float32, device=device).view(2, 8, 8)
        self.ycc = torch.tensor(YCC, device=device)

    def __call__(self, low: torch.Tensor, quality: torch.Tensor, halved: torch.Tensor, random: torch.Generator) -> torch.Tensor:
        n = len(low)
        along = torch.arange(self.padded, device=self.device)
        top, left = torch.randint(0, 8, (2, n, 1), device=self.device, generator=random)
        rows, columns = ((along - at).clamp(0, self.side - 1) for at in (top, left))
        ycc = torch.einsum("oc,nchw->nohw", self.ycc, take(low, rows, columns)).round()
        # libjpeg's scaling of the tables by quality.
        factor = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality).view(-1, 1, 1, 1)
        tables = ((self.tables * factor + 50) / 100).floor().clamp(1, 255)
        y, chroma = self.coded(ycc[:, :1] - 128, tables[:, :1]), ycc[:, 1:]
        whole = self.coded(chroma, tables[:, 1:])
        half = F.interpolate(self.coded(F.avg_pool2d(chroma, 2).round(), tables[:, 1:]), scale_factor=2, mode="bilinear", align_corners=False)
        ycc = torch.cat([y + 128, torch.where(halved.view(-1, 1, 1, 1), half, whole)], 1)
        rgb = torch.einsum("oc,nchw->nohw", torch.linalg.inv(self.ycc), ycc).round().clamp(0, 255)
        inside = torch.arange(self.side, device=self.device)
        return take(rgb, inside + top, inside + left)

    def coded(self, planes: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        """Planes [n, c, h, w] through the DCT of their 8x8 blocks, rounded by `table` [n, 1, 8, 8]."""
        n, c, h, w = planes.shape
        blocks = planes.view(n, c, h // 8, 8, w // 8, 8).transpose(3, 4)
        table = table.view(n, 1, 1, 1, 8, 8)
        blocks = self.dct.T @ ((self.dct @ blocks @ self.dct.T / table).round() * table) @ self.dct
        return blocks.transpose(3, 4).reshape(n, c, h, w).round()


def take(x: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
    """Of each picture [n, c, h, w] its own rows [n, H] and columns [n, W]."""
    n, c = x.shape[:2]
    x = x.gather(2, rows.view(n, 1, -1, 1).expand(-1, c, -1, x.shape[3]))
    return x.gather(3, columns.view(n, 1, 1, -1).expand(-1, c, x.shape[2], -1))


def blur(image: torch.Tensor, sigma: torch.Tensor, most: float) -> torch.Tensor:
    """Gaussian, float [n, c, h, w] by a `sigma` [n] of `most` px at most, mirrored at the edges."""
    n, c, h, w = image.shape
    radius = math.ceil(2.5 * most)
    x = torch.arange(-radius, radius + 1, device=image.device)
    kernel = torch.exp(-0.5 * (x / sigma.view(-1, 1)) ** 2)
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(c, 0).view(n * c, 1, -1, 1)
    flat = F.pad(image.reshape(1, n * c, h, w), [radius] * 4, mode="reflect")
    return F.conv2d(F.conv2d(flat, kernel, groups=n * c), kernel.transpose(2, 3), groups=n * c).view(n, c, h, w)
