"""The network: a head, blocks of 3x3 convolutions with a sum around each, a sum around all, and a tail that is added
to the nearest-neighbour enlargement of the input. Made for CPUs: nothing but 3x3 convolutions, leaky ReLU and sums."""

import torch
import torch.nn as nn
import torch.nn.functional as F

LEAK = 0.1


class MergedConv(nn.Module):
    """A 3x3 convolution whose kernel is the product of a wide stack (1x1, 3x3, 1x1) and a 1x1 beside it.

    The stack is linear, so it is multiplied out to one plain kernel before each use: training gains from the extra
    parameters (the idea of ECBSR and SPAN), inference and training's own convolutions cost nothing more.
    """

    def __init__(self, inputs: int, outputs: int, widen: int = 2):
        super().__init__()
        wide_in, wide_out = inputs * widen, outputs * widen
        self.first = nn.Parameter(torch.empty(wide_in, inputs))
        self.middle = nn.Parameter(torch.empty(wide_out, wide_in, 3, 3))
        self.last = nn.Parameter(torch.empty(outputs, wide_out))
        self.beside = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.normal_(self.first, 0, (1 / inputs) ** 0.5)
        nn.init.normal_(self.middle, 0, (1 / (9 * wide_in)) ** 0.5)
        nn.init.normal_(self.last, 0, (1 / wide_out) ** 0.5)
        nn.init.normal_(self.beside, 0, (0.5 / inputs) ** 0.5)

    def kernel(self) -> torch.Tensor:
        return merge([self])[0]

    def forward(self, x: torch.Tensor, kernel: torch.Tensor) -> torch.Tensor:
        return F.conv2d(x, kernel.to(x.dtype), self.bias.to(x.dtype), padding=1)

    def become(self, kernel: torch.Tensor, bias: torch.Tensor) -> None:
        """Has `kernel` [outputs, inputs, 3, 3] for its product: the wide middle is solved for, the rest stays as it began."""
        with torch.no_grad():
            rest = kernel - F.pad(self.beside[:, :, None, None], (1, 1, 1, 1))
            self.middle.copy_(torch.einsum("po,oihw,iq->pqhw", torch.linalg.pinv(self.last), rest, torch.linalg.pinv(self.first)))
            self.bias.copy_(bias)

    def shrink(self, factor: float) -> None:
        """Starts it smaller than its inputs would have it."""
        with torch.no_grad():
            self.last.mul_(factor)
            self.beside.mul_(factor)


def merge(convolutions: list[MergedConv]) -> torch.Tensor:
    """The kernels of convolutions of one shape, [n, outputs, inputs, 3, 3]: together, which is far quicker on a GPU."""
    first, middle, last, beside = (torch.stack([getattr(one, name) for one in convolutions]) for name in ("first", "middle", "last", "beside"))
    kernels = torch.einsum("npq,nqrhw,nrs->npshw", last, middle, first)
    return kernels + F.pad(beside[..., None, None], (1, 1, 1, 1))


class PlainConv(nn.Conv2d):
    """The same with its kernel as it is."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__(inputs, outputs, 3, padding=1)

    def forward(self, x: torch.Tensor, _kernel: torch.Tensor | None = None) -> torch.Tensor:
        return super().forward(x)


class Block(nn.Module):
    def __init__(self, channels: int, convolutions: int, make):
        super().__init__()
        self.convolutions = nn.ModuleList(make(channels, channels) for _ in range(convolutions))

    def forward(self, x: torch.Tensor, kernels: dict) -> torch.Tensor:
        y = x
        for i, convolution in enumerate(self.convolutions):
            y = convolution(y, kernels.get(convolution))
            if i < len(self.convolutions) - 1:
                y = F.leaky_relu(y, LEAK)
        return x + y


class Net(nn.Module):
    """Input float [1, 3, h, w], output [1, 3, h*scale, w*scale], RGB, 0..1, not clamped.

    `shape` is what a checkpoint keeps to build the same network again.
    """

    def __init__(self, scale: int, channels: int = 64, blocks: int = 4, convolutions: int = 3, merged: bool = True):
        super().__init__()
        self.shape = dict(scale=scale, channels=channels, blocks=blocks, convolutions=convolutions)
        make = MergedConv if merged else PlainConv
        self.head = make(3, channels)
        self.blocks = nn.ModuleList(Block(channels, convolutions, make) for _ in range(blocks))
        self.join = make(channels, channels)
        self.tail = make(channels, 3 * scale * scale)
        self.shuffle = nn.PixelShuffle(scale)
        if merged:  # begin near the plain enlargement
            self.tail.shrink(0.05)
            for block in self.blocks:
                block.convolutions[-1].shrink(0.3)
        self.register_buffer("base", nearest_kernel(scale), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kernels = self.kernels()
        run = lambda convolution, x: convolution(x, kernels.get(convolution))
        head = run(self.head, x)
        y = head
        for block in self.blocks:
            y = block(y, kernels)
        return self.shuffle(run(self.tail, run(self.join, y) + head) + F.conv2d(x, self.base.to(x.dtype)))

    def kernels(self) -> dict[nn.Module, torch.Tensor]:
        """Of every merged convolution; nothing where they are plain."""
        of = lambda convolutions: dict(zip(convolutions, merge(convolutions)))
        if not isinstance(self.head, MergedConv):
            return {}
        alike = [c for block in self.blocks for c in block.convolutions] + [self.join]
        return of([self.head]) | of(alike) | of([self.tail])

    def plain(self) -> "Net":
        """The same function as ordinary convolutions, to evaluate and export."""
        net = Net(**self.shape, merged=False)
        mine, theirs = dict(self.named_modules()), dict(net.named_modules())
        with torch.no_grad():
            for name, module in mine.items():
                if isinstance(module, MergedConv):
                    theirs[name].weight.copy_(module.kernel())
                    theirs[name].bias.copy_(module.bias)
        return net.eval()


def become(net: Net, weights: dict[str, torch.Tensor]) -> None:
    """Gives a merged network the kernels and biases of an exported one, by its names; those that are missing stay."""
    for name, module in net.named_modules():
        if isinstance(module, MergedConv) and f"{name}.weight" in weights:
            module.become(weights[f"{name}.weight"], weights[f"{name}.bias"])


def nearest_kernel(scale: int) -> torch.Tensor:
    """[3*scale^2, 3, 1, 1]: repeats each channel for the pixel shuffle, which makes it the nearest neighbour's picture."""
    kernel = torch.zeros(3 * scale * scale, 3, 1, 1)
    for c in range(3):
        kernel[c * scale * scale : (c + 1) * scale * scale, c] = 1
    return kernel


def receptive_radius(shape: dict) -> int:
    """Input pixels on each side that one output pixel depends on: one a convolution (head, blocks, join, tail)."""
    return 1 + shape["blocks"] * shape["convolutions"] + 1 + 1
