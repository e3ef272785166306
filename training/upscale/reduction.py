"""The reduction that published tables use: MATLAB's imresize, bicubic, antialiased; and others that the web uses."""

import numpy as np
import torch


def reduce_bicubic(picture: torch.Tensor, scale: int) -> torch.Tensor:
    """uint8 [H, W, C] to uint8 [ceil(H/scale), ceil(W/scale), C], as MATLAB's imresize(picture, 1/scale)."""
    x = picture.float()
    for axis in (0, 1):
        index, weight = reduction_weights(x.shape[axis], scale)
        index, weight = torch.from_numpy(index).to(x.device), torch.from_numpy(weight).to(x.device)
        shape = [-1 if i == axis else 1 for i in range(3)]
        x = sum(x.index_select(axis, index[:, tap]) * weight[:, tap].view(shape) for tap in range(index.shape[1]))
    return x.round().clamp(0, 255).byte()


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


def reduction_matrix(length: int, scale: int, kernel: str) -> torch.Tensor:
    """float32 [length / scale, length]: one axis of a reduction by "bicubic" (MATLAB's), "lanczos", "box" or "bilinear"
    (antialiased, as Pillow's)."""
    if kernel == "bicubic":
        index, weight = reduction_weights(length, scale)
        matrix = np.zeros((len(index), length), np.float32)
        np.add.at(matrix, (np.arange(len(index))[:, None], index), weight)
        return torch.from_numpy(matrix)
    centre = (np.arange(length // scale) + 0.5) * scale
    x = (np.arange(length)[None] + 0.5 - centre[:, None]) / scale
    weight = {"lanczos": lanczos, "box": lambda x: (np.abs(x) <= 0.5) * 1.0, "bilinear": lambda x: np.maximum(0, 1 - np.abs(x))}[kernel](x)
    return torch.from_numpy((weight / weight.sum(1, keepdims=True)).astype(np.float32))


def lanczos(x: np.ndarray) -> np.ndarray:
    return np.sinc(x) * np.sinc(x / 3) * (np.abs(x) < 3)


def cubic(x: np.ndarray) -> np.ndarray:
    """Keys' kernel with a = -0.5 (Keys 1981), MATLAB's choice."""
    a = np.abs(x)
    near = 1.5 * a**3 - 2.5 * a**2 + 1
    far = -0.5 * a**3 + 2.5 * a**2 - 4 * a + 2
    return near * (a <= 1) + far * ((a > 1) & (a <= 2))
