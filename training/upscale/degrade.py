"""What happens to a photograph on its way to the web: a soft lens, some reduction, sensor noise, a JPEG."""

import io

import numpy as np
from PIL import Image

from .reduction import reduce_bicubic


def worsen(crop: np.ndarray, scale: int, rng: np.random.Generator) -> np.ndarray:
    """uint8 [H, W, 3] to uint8 [H/scale, W/scale, 3], of a strength drawn anew each time."""
    image = crop.astype(np.float32)
    if rng.random() < 0.4:
        image = blur(image, rng.uniform(0.3, 0.5 * scale + 0.3))
    size = (crop.shape[1] // scale, crop.shape[0] // scale)
    if rng.random() < 0.6:
        low = reduce_bicubic(np.clip(image, 0, 255).astype(np.uint8), scale).astype(np.float32)
    else:
        how = [Image.Resampling.LANCZOS, Image.Resampling.BOX, Image.Resampling.BILINEAR][rng.integers(0, 3)]
        low = np.asarray(Image.fromarray(np.clip(image, 0, 255).astype(np.uint8)).resize(size, how), np.float32)
    if rng.random() < 0.5:
        sigma = rng.uniform(0.5, 6)
        grey = rng.random() < 0.4
        low = low + rng.normal(0, sigma, low.shape[:2] + (1 if grey else 3,)).astype(np.float32)
    low = np.clip(np.round(low), 0, 255).astype(np.uint8)
    return jpeg(low, rng) if rng.random() < 0.95 else low


def jpeg(low: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Through a JPEG of quality 25 to 95. Where its 8x8 grid lies is not known, so it is moved about."""
    top, left = rng.integers(0, 8, 2)
    padded = np.pad(low, ((top, 0), (left, 0), (0, 0)), mode="edge")
    file = io.BytesIO()
    quality, subsampling = int(rng.integers(25, 96)), int(rng.choice([0, 2, 2]))
    Image.fromarray(padded).save(file, "JPEG", quality=quality, subsampling=subsampling)
    return np.asarray(Image.open(file))[top:, left:]


def blur(image: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian, float32 [H, W, C], mirrored at the edges."""
    radius = int(np.ceil(2.5 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    kernel = (kernel / kernel.sum()).astype(np.float32)
    for axis in (0, 1):
        pad = [(0, 0)] * 3
        pad[axis] = (radius, radius)
        wide = np.pad(image, pad, mode="reflect")
        image = sum(w * np.take(wide, range(k, k + image.shape[axis]), axis) for k, w in enumerate(kernel))
    return image
