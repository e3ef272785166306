"""Training pictures: read once, held on the device as bytes, cut into random pairs of a small and a large patch."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .degrade import Degradation
from .reduction import reduce_bicubic

SUFFIXES = {".avif", ".png", ".webp", ".jpg", ".jpeg", ".tif", ".tiff", ".npy"}
LARGE = 1.5e6  # pixels; photographs above it are soft at 1:1 and are taken once more at half size
EDGE = 8  # pixels of the input around a patch that is degraded: room for the filters' borders


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
    """Batches of patches: `next()` gives float [batch, 3, patch, patch] and [batch, 3, patch*scale, patch*scale], 0..1,
    in the memory format channels_last."""

    def __init__(self, folder: str, scale: int, patch: int, batch: int, degrade: bool, seed: int, most: int | None = None, device: str = "cpu", clean: float = 0):
        self.scale, self.patch, self.batch, self.device = scale, patch, batch, device
        self.random = torch.Generator(device).manual_seed(seed)
        high, low = [], []
        for picture in self.read(spread(picture_files(folder), most)):
            h, w = (side // scale * scale for side in picture.shape[:2])
            if min(h, w) >= (patch + 2 * EDGE) * scale:
                high.append(picture[:h, :w].contiguous())
                if not degrade:
                    low.append(reduce_bicubic(high[-1], scale))
        self.high = Store(high)
        self.low = None if degrade else Store(low)
        self.degradation = Degradation(scale, patch + 2 * EDGE, device, clean) if degrade else None

    def read(self, files: list[Path]):
        """Each picture [H, W, 3] on the device, and once more at half size where it is large."""
        with ThreadPoolExecutor() as threads:
            for picture in threads.map(read_picture, files):
                picture = torch.tensor(picture).to(self.device)
                yield picture
                if picture.shape[0] * picture.shape[1] > LARGE:
                    yield reduce_bicubic(picture, 2)

    def uniform(self) -> torch.Tensor:
        return torch.rand(self.batch, device=self.device, generator=self.random)

    def next(self) -> tuple[torch.Tensor, torch.Tensor]:
        s, p = self.scale, self.patch
        which = torch.multinomial(self.high.chance, self.batch, replacement=True, generator=self.random)
        turn = torch.randint(0, 8, (self.batch,), device=self.device, generator=self.random)
        side = p if self.low else p + 2 * EDGE
        top = (self.uniform() * (self.high.height[which] // s - side + 1)).long()
        left = (self.uniform() * (self.high.width[which] // s - side + 1)).long()
        high = self.high.patches(which, top * s, left * s, side * s, turn)
        if self.low:
            return self.low.patches(which, top, left, side, turn), high
        low = self.degradation(high, self.random)
        cut = lambda x, edge: x[:, :, edge:-edge, edge:-edge].contiguous(memory_format=torch.channels_last)
        return cut(low, EDGE), cut(high, EDGE * s)


class Store:
    """Pictures of different sizes in one run of bytes, so that a batch is one gather."""

    def __init__(self, pictures: list[torch.Tensor]):
        device = pictures[0].device
        number = lambda values: torch.tensor(values, device=device)
        self.bytes = torch.cat([x.reshape(-1) for x in pictures])
        self.start = number(np.cumsum([0] + [x.numel() for x in pictures[:-1]]).tolist())
        self.height, self.width = number([x.shape[0] for x in pictures]), number([x.shape[1] for x in pictures])
        self.chance = (self.height * self.width).float().sqrt()

    def patches(self, which: torch.Tensor, top: torch.Tensor, left: torch.Tensor, side: int, turn: torch.Tensor) -> torch.Tensor:
        """float [n, 3, side, side], 0..1; the bits of `turn` mirror columns, mirror rows and transpose."""
        along = torch.arange(side, device=top.device)
        column = lambda of: of.view(-1, 1, 1)
        mirrored = lambda bit: torch.where(column(turn & bit) > 0, side - 1 - along, along)
        transposed = column(turn & 4) > 0
        rows, columns = mirrored(2).transpose(1, 2), mirrored(1)
        y = column(top) + torch.where(transposed, columns, rows)
        x = column(left) + torch.where(transposed, rows, columns)
        at = column(self.start[which]) + (y * column(self.width[which]) + x) * 3
        colours = torch.arange(3, device=top.device)
        return self.bytes[at.unsqueeze(-1) + colours].permute(0, 3, 1, 2).float().div_(255)
