"""The reduction that published tables use: MATLAB's imresize, bicubic, antialiased."""

import numpy as np


def reduce_bicubic(picture: np.ndarray, scale: int) -> np.ndarray:
    """uint8 [H, W, C] to uint8 [ceil(H/scale), ceil(W/scale), C], as MATLAB's imresize(picture, 1/scale)."""
    x = picture.astype(np.float32)
    for axis in (0, 1):
        index, weight = reduction_weights(x.shape[axis], scale)
        x = np.moveaxis(x, axis, 0)
        out = np.zeros((index.shape[0],) + x.shape[1:], np.float32)
        for tap in range(index.shape[1]):
            out += x[index[:, tap]] * weight[:, tap].reshape(-1, 1, 1)
        x = np.moveaxis(out, 0, axis)
    return np.clip(np.round(x), 0, 255).astype(np.uint8)


def reduction_weights(length: int, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices and weights, [out, taps] each: the kernel is widened by the scale, the edge is mirrored."""
    out = int(np.ceil(length / scale))
    width = 4.0 * scale
    centre = np.arange(1, out + 1) * scale + 0.5 * (1 - scale)  # MATLAB counts pixels from 1
    index = np.floor(centre - width / 2)[:, None] + np.arange(int(np.ceil(width)) + 2)[None]
    weight = cubic((centre[:, None] - index) / scale) / scale
    weight /= weight.sum(1, keepdims=True)
    index = np.mod(index.astype(int) - 1, 2 * length)
    return np.where(index >= length, 2 * length - 1 - index, index), weight.astype(np.float32)


def cubic(x: np.ndarray) -> np.ndarray:
    """Keys' kernel with a = -0.5 (Keys 1981), MATLAB's choice."""
    a = np.abs(x)
    near = 1.5 * a**3 - 2.5 * a**2 + 1
    far = -0.5 * a**3 + 2.5 * a**2 - 4 * a + 2
    return near * (a <= 1) + far * ((a > 1) & (a <= 2))
