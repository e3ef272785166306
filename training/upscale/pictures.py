"""Training pictures: read once, cut into random pairs of a small and a large patch."""

from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .degrade import worsen
from .reduction import reduce_bicubic

SUFFIXES = {".avif", ".png", ".webp", ".jpg", ".jpeg", ".tif", ".tiff", ".npy"}
LARGE = 1.5e6  # pixels; photographs above it are soft at 1:1 and are taken once more at half size


def read_picture(file: Path) -> np.ndarray:
    """uint8 [H, W, 3]. `.npy` files hold such an array as it is, which saves the decoding at each start."""
    return np.load(file) if file.suffix == ".npy" else np.asarray(Image.open(file).convert("RGB"))


def picture_files(folder: str) -> list[Path]:
    """All pictures below the folder, in the order of their names."""
    files = [f for f in Path(folder).rglob("*") if f.suffix.lower() in SUFFIXES]
    if not files:
        raise SystemExit(f"no pictures in {folder}")
    return sorted(files, key=lambda f: f.name)


def spread(files: list[Path], most: int | None) -> list[Path]:
    """At most so many of them, evenly taken from all."""
    return files if most is None or len(files) <= most else [files[i * len(files) // most] for i in range(most)]


class Pictures:
    """Batches of patches: `next()` gives float [batch, 3, patch, patch] and [batch, 3, patch*scale, patch*scale], 0..1."""

    def __init__(self, folder: str, scale: int, patch: int, batch: int, degrade: bool, seed: int, most: int | None = None):
        self.scale, self.patch, self.batch, self.degrade = scale, patch, batch, degrade
        self.rng = np.random.default_rng(seed)
        self.high, self.low = [], []
        for file in spread(picture_files(folder), most):
            picture = read_picture(file)
            self.add(picture)
            if picture.shape[0] * picture.shape[1] > LARGE:
                self.add(reduce_bicubic(picture, 2))
        area = np.sqrt([x.shape[0] * x.shape[1] for x in self.high])
        self.chance = area / area.sum()

    def add(self, picture: np.ndarray) -> None:
        s = self.scale
        h, w = picture.shape[0] // s * s, picture.shape[1] // s * s
        picture = np.ascontiguousarray(picture[:h, :w])
        if min(h, w) < (self.patch + 16) * s:
            return
        self.high.append(picture)
        self.low.append(None if self.degrade else reduce_bicubic(picture, s))

    def pair(self) -> tuple[np.ndarray, np.ndarray]:
        s, p, rng = self.scale, self.patch, self.rng
        i = rng.choice(len(self.high), p=self.chance)
        high = self.high[i]
        if not self.degrade:
            low = self.low[i]
            r, c = rng.integers(0, low.shape[0] - p + 1), rng.integers(0, low.shape[1] - p + 1)
            return low[r : r + p, c : c + p], high[r * s : (r + p) * s, c * s : (c + p) * s]
        edge = 8  # room for the filters' borders
        q = p + 2 * edge
        r, c = rng.integers(0, high.shape[0] // s - q + 1), rng.integers(0, high.shape[1] // s - q + 1)
        crop = high[r * s : (r + q) * s, c * s : (c + q) * s]
        low = worsen(crop, s, rng)
        cut = slice(edge, edge + p)
        big = slice(edge * s, (edge + p) * s)
        return low[cut, cut], crop[big, big]

    def next(self) -> tuple[torch.Tensor, torch.Tensor]:
        s, p, b = self.scale, self.patch, self.batch
        xs, ys = np.empty((b, p, p, 3), np.uint8), np.empty((b, p * s, p * s, 3), np.uint8)
        for k in range(b):
            x, y = self.pair()
            turn = self.rng.integers(0, 8)
            if turn & 1:
                x, y = x[:, ::-1], y[:, ::-1]
            if turn & 2:
                x, y = x[::-1], y[::-1]
            if turn & 4:
                x, y = x.transpose(1, 0, 2), y.transpose(1, 0, 2)
            xs[k], ys[k] = x, y
        return as_tensor(xs), as_tensor(ys)


def as_tensor(bytes_: np.ndarray) -> torch.Tensor:
    """uint8 [n, H, W, 3] to float [n, 3, H, W], 0..1."""
    return torch.from_numpy(np.ascontiguousarray(bytes_.transpose(0, 3, 1, 2))).float().div_(255)
