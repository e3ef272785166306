"""The published scores: PSNR and SSIM on Y of BT.601, inputs as the benchmark gives them, a border of `scale` left out."""

import io
from pathlib import Path
from typing import Callable

import numpy as np
from PIL import Image

Enlarge = Callable[[np.ndarray], np.ndarray]
"""uint8 [h, w, 3] to uint8 [h*scale, w*scale, 3]."""


def score(enlarge: Enlarge, folder: str, scale: int, jpeg: int | None = None) -> tuple[float, float]:
    """Mean PSNR in dB and SSIM over a folder laid out as image_SRF_{scale}/*_{LR,HR}.png; `jpeg`: the inputs are put
    through a JPEG of that quality first."""
    rows = []
    for high_file, low_file in benchmark_files(folder, scale):
        high = np.asarray(Image.open(high_file).convert("RGB"))
        out = enlarge(read_low(low_file, jpeg))
        h, w = min(out.shape[0], high.shape[0]), min(out.shape[1], high.shape[1])
        a, b = (luma(x[:h, :w])[scale:-scale, scale:-scale] for x in (out, high))
        rows.append((psnr(a, b), ssim(a, b)))
    return tuple(float(x) for x in np.mean(rows, 0))


def benchmark_files(folder: str, scale: int) -> list[tuple[Path, Path]]:
    """Pairs of the original and its reduced version."""
    highs = sorted(Path(folder, f"image_SRF_{scale}").glob("*_HR.png"))
    if not highs:
        raise SystemExit(f"no benchmark for x{scale} in {folder}")
    return [(f, f.with_name(f.name.replace("_HR", "_LR"))) for f in highs]


def read_low(file: Path, jpeg: int | None) -> np.ndarray:
    image = Image.open(file).convert("RGB")
    if jpeg is None:
        return np.asarray(image)
    kept = io.BytesIO()
    image.save(kept, "JPEG", quality=jpeg)
    return np.asarray(Image.open(kept))


def luma(x: np.ndarray) -> np.ndarray:
    """Y of BT.601 in its studio range, 16..235, as MATLAB's rgb2ycbcr, not rounded."""
    x = x.astype(np.float64)
    return 16 + (65.481 * x[..., 0] + 128.553 * x[..., 1] + 24.966 * x[..., 2]) / 255


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    return 10 * np.log10(255**2 / np.mean((a - b) ** 2))


def ssim(a: np.ndarray, b: np.ndarray) -> float:
    """Wang et al. 2004 as in MATLAB: Gaussian 11x11 of sigma 1.5, K = 0.01 and 0.03, only where the window fits."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    ma, mb = soften(a), soften(b)
    va, vb, cov = soften(a * a) - ma * ma, soften(b * b) - mb * mb, soften(a * b) - ma * mb
    return float(np.mean((2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2))))


def soften(x: np.ndarray) -> np.ndarray:
    kernel = np.exp(-0.5 * (np.arange(-5, 6) / 1.5) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):
        length = x.shape[axis] - 10
        x = sum(w * np.take(x, range(k, k + length), axis) for k, w in enumerate(kernel))
    return x
