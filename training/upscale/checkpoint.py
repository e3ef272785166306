"""Checkpoints: weights, averaged weights, optimiser, step and the network's shape, in one file."""

import os

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .network import Net

# Learning rates were once kept as numpy's numbers; nothing else than these and tensors is let in from a file.
ALLOWED = [np._core.multiarray.scalar, np.dtype, type(np.dtype(np.float64))]


def load_checkpoint(file: str) -> dict:
    with torch.serialization.safe_globals(ALLOWED):
        return torch.load(file, map_location="cpu")


def save_checkpoint(file: str, *, net: Net, mean: Net, optimiser: torch.optim.Optimizer, n: int) -> None:
    """Whole or not at all: a run can be ended at any moment."""
    kept = dict(net=net.state_dict(), mean=mean.state_dict(), optimiser=optimiser.state_dict(), n=n, shape=net.shape)
    torch.save(kept, file + ".new")
    os.replace(file + ".new", file)


def load_mean(file: str) -> Net:
    """The averaged network of a checkpoint, as ordinary convolutions."""
    kept = load_checkpoint(file)
    net = Net(**kept["shape"])
    net.load_state_dict(kept["mean"])
    return net.plain()


def load_plain(file: str) -> Net:
    """The network to publish: that of a checkpoint, or one that was published in floating point."""
    if not file.endswith(".onnx"):
        return load_mean(file)
    weights = load_exported(file)
    blocks = {tuple(map(int, name.split(".")[1:4:2])) for name in weights if name.startswith("blocks.")}
    blocks_count, convolutions = (max(of) + 1 for of in zip(*blocks))
    channels, scale = weights["head.bias"].numel(), round((weights["tail.bias"].numel() / 3) ** 0.5)
    net = Net(scale, channels, blocks_count, convolutions, merged=False)
    net.load_state_dict({name: weights[name] for name in net.state_dict()})
    return net.eval()


def load_exported(file: str) -> dict[str, torch.Tensor]:
    """Kernels and biases of a network that `publish` wrote in floating point."""
    return {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(file).graph.initializer}
