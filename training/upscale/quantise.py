"""The network in 8-bit integers: activations 0..255 a tensor, weights -64..64 an output channel.

Weights use 7 bits although 8 are there: processors without VNNI add pairs of products in 16 bits, and only
255 * 64 * 2 stays below 32,768 there. So every processor gives the same picture. Training wins back the cost on
with the rounding in place ("quantisation-aware", Jacob et al. 2018; the ranges learn too, as in LSQ+, Bhalgat et al. 2020).
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from .network import LEAK, Net
from .pictures import Pictures
from .train import Step, adam, descend, difference, learning_rate, set_rate

WEIGHT_LIMIT = 64


def round_through(x: torch.Tensor) -> torch.Tensor:
    """Rounds, and lets gradients pass as if it had not."""
    return x + (x.round() - x).detach()


class Range(nn.Module):
    """The range of one activation tensor: measured first (`watching`), then a pair of numbers that learn."""

    def __init__(self):
        super().__init__()
        self.low, self.high = nn.Parameter(torch.zeros(())), nn.Parameter(torch.zeros(()))
        self.watching = True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.watching:
            with torch.no_grad():
                self.low.copy_(torch.minimum(self.low, x.min()))
                self.high.copy_(torch.maximum(self.high, x.max()))
            return x
        scale = (self.high - self.low) / 255
        zero = round_through(-self.low / scale)
        return (round_through(x / scale + zero).clamp(0, 255) - zero) * scale

    def numbers(self) -> tuple[float, int]:
        """Scale and zero point: real = (byte - zero) * scale."""
        scale = (self.high.item() - self.low.item()) / 255
        return scale, int(np.clip(round(-self.low.item() / scale), 0, 255))


def weight_steps(weight: torch.Tensor) -> torch.Tensor:
    """One step a row of the output channels, [out, 1, 1, 1]."""
    return weight.detach().abs().amax((1, 2, 3), keepdim=True).clamp_min(1e-8) / WEIGHT_LIMIT


class QuantisedConv(nn.Module):
    """A convolution whose weights and result are rounded."""

    def __init__(self, plain: nn.Conv2d):
        super().__init__()
        self.weight, self.bias = nn.Parameter(plain.weight.detach().clone()), nn.Parameter(plain.bias.detach().clone())
        self.range = Range()
        self.register_buffer("mean", torch.zeros_like(plain.bias), persistent=False)  # of each channel in floating point, seen while watching
        self.correcting = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.range.watching:
            y = F.conv2d(x, self.weight, self.bias, padding=1)
            self.mean = y.mean((0, 2, 3))
            return self.range(y)
        step = weight_steps(self.weight)
        y = F.conv2d(x, round_through(self.weight / step) * step, self.bias, padding=1)
        if self.correcting:
            shift = self.mean - y.mean((0, 2, 3))
            self.bias += shift
            y = y + shift.view(1, -1, 1, 1)
        return self.range(y)


class QuantisedBlock(nn.Module):
    def __init__(self, plain: nn.Module):
        super().__init__()
        self.convolutions = nn.ModuleList(QuantisedConv(c) for c in plain.convolutions)
        self.leaks = nn.ModuleList(Range() for _ in list(plain.convolutions)[1:])
        self.sum = Range()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        for convolution, leak in zip(self.convolutions, self.leaks):
            y = leak(F.leaky_relu(convolution(y), LEAK))
        return self.sum(x + self.convolutions[-1](y))


class QuantisedNet(nn.Module):
    """`Net` with every rounding that integers bring, but that of the result. Input bytes / 255 are exact as they are."""

    def __init__(self, plain: Net):
        super().__init__()
        self.shape, self.scale = plain.shape, plain.shape["scale"]
        self.head, self.join, self.tail = (QuantisedConv(c) for c in (plain.head, plain.join, plain.tail))
        self.blocks = nn.ModuleList(QuantisedBlock(b) for b in plain.blocks)
        self.sum = Range()
        self.register_buffer("base", plain.base.clone(), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        head = self.head(x)
        y = head
        for block in self.blocks:
            y = block(y)
        return F.pixel_shuffle(self.tail(self.sum(self.join(y) + head)) + F.conv2d(x, self.base), self.scale)

    def ranges(self) -> list[Range]:
        return [m for m in self.modules() if isinstance(m, Range)]


@torch.no_grad()
def calibrate(net: QuantisedNet, x: torch.Tensor) -> None:
    """Ranges from the least to the greatest value of every tensor over the patches, then each channel's mean put back
    to what it is in floating point, in the order of computing ("bias correction", Nagel et al. 2019)."""
    net(x)
    for one in net.ranges():
        one.watching = False
    set_correcting(net, True)
    net(x)
    set_correcting(net, False)


def set_correcting(net: QuantisedNet, correcting: bool) -> None:
    for module in net.modules():
        if isinstance(module, QuantisedConv):
            module.correcting = correcting


@torch.no_grad()
def centre_colours(net: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Moves the tail's biases so that the mean colour over the patches is that of the originals; gives by how much."""
    shift = (y - net(x)).mean((0, 2, 3))
    net.tail.bias += shift.repeat_interleave(net.shape["scale"] ** 2)
    return shift


def fine_tune(net: QuantisedNet, pictures: Pictures, a) -> None:
    """Trains weights and ranges with the rounding in place, on squared error; ends with the average of the way."""
    ranges = {id(p) for one in net.ranges() for p in one.parameters()}
    groups = [
        dict(params=[p for p in net.parameters() if id(p) not in ranges], share=1.0),
        # Ranges are few and get the gradient of whole tensors: they need less.
        dict(params=[p for p in net.parameters() if id(p) in ranges], share=0.3),
    ]
    optimiser = adam(groups, a)
    mean = [p.detach().clone() for p in net.parameters()]
    step = Step(lambda x, y: descend(net, optimiser, difference(net(x) - y, squared=True)), a.device)
    for n in range(a.fine_tune):
        set_rate(optimiser, learning_rate(a.rate, n, n / a.fine_tune))
        loss = step(*pictures.next())
        with torch.no_grad():
            torch._foreach_lerp_(mean, list(net.parameters()), 1 - min(0.995, n / (n + 20)))
        if (n + 1) % 100 == 0:
            print(f"fine-tuning {n + 1} of {a.fine_tune}, loss {loss.item():.5f}", flush=True)
    with torch.no_grad():
        for p, m in zip(net.parameters(), mean):
            p.copy_(m)
