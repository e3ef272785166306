"""Training: L1 on RGB and Y, then squared error for the last part; the averaged weights are what is kept."""

import copy
import os
import time

import numpy as np
import torch
import torch.nn as nn

from .checkpoint import load_checkpoint, load_exported, save_checkpoint
from .network import Net, become
from .pictures import Pictures
from .score import score

Y_WEIGHT = torch.tensor([65.481, 128.553, 24.966]).view(1, 3, 1, 1) / 219


def train(a) -> None:
    """Goes on from `run/state.pt` where there is one; writes it every 500 steps."""
    os.makedirs(a.run, exist_ok=True)
    torch.manual_seed(a.seed)
    net = Net(a.scale, a.channels, a.blocks, a.convolutions)
    if a.init:
        load_start(net, a.init, a.same_scale)
    mean = copy.deepcopy(net)
    optimiser = torch.optim.Adam(net.parameters(), a.rate, betas=(0.9, 0.99))
    n = 0
    state = os.path.join(a.run, "state.pt")
    if os.path.exists(state):
        kept = load_checkpoint(state)
        net.load_state_dict(kept["net"])
        mean.load_state_dict(kept["mean"])
        optimiser.load_state_dict(kept["optimiser"])
        n = kept["n"]
    pictures = Pictures(a.pictures, a.scale, a.patch, a.batch, a.degrade, a.seed + n)
    started, first, total = time.time(), n, 0.0
    while n < a.steps:
        done = n / a.steps
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(a.rate, n, done)
        x, y = pictures.next()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=done < a.half_until):
            out = net(x.contiguous(memory_format=torch.channels_last))
        loss = difference(out.float() - y, squared=done >= a.square_from)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimiser.step()
        n += 1
        total += loss.item()
        follow(mean, net, min(0.999, n / (n + 100)))
        if n % 500 == 0 or n == a.steps:
            save_checkpoint(state, net=net, mean=mean, optimiser=optimiser, n=n)
            scores = report(mean.plain(), a) if a.benchmark and (n % 2000 == 0 or n == a.steps) else ""
            seconds = time.time() - started
            print(n, f"{seconds / 60:.1f} min {seconds / (n - first):.3f} s/step loss {total / 500:.5f}", scores, flush=True)
            total = 0.0


def load_start(net: Net, file: str, same_scale: bool) -> None:
    """The averaged weights of another run, or those of an exported network; of another scale all but its tail."""
    taken = lambda kept: {k: v for k, v in kept.items() if same_scale or not k.startswith("tail")}
    if file.endswith(".onnx"):
        become(net, taken(load_exported(file)))
    else:
        net.load_state_dict(taken(load_checkpoint(file)["mean"]), strict=False)


def learning_rate(rate: float, n: int, done: float) -> float:
    """Warms up over 500 steps, then falls along a cosine to 0.002 of `rate`."""
    return float(rate * min(1, (n + 1) / 500) * (0.5 * (1 + np.cos(np.pi * done)) * 0.998 + 0.002))


def difference(d: torch.Tensor, squared: bool) -> torch.Tensor:
    """What is to become small: the error of RGB and, as much again, of Y, which the published tables look at."""
    y = (d * Y_WEIGHT).sum(1)
    return 40 * (d.pow(2).mean() + y.pow(2).mean()) if squared else d.abs().mean() + y.abs().mean()


def follow(mean: nn.Module, net: nn.Module, decay: float) -> None:
    """Moves the averaged weights a little towards the trained ones."""
    with torch.no_grad():
        for m, q in zip(mean.parameters(), net.parameters()):
            m.lerp_(q, 1 - decay)


def report(plain: Net, a) -> str:
    set5 = os.path.join(a.benchmark, "Set5")
    clean, worse = (score(enlarge_with(plain), set5, a.scale, jpeg)[0] for jpeg in (None, 60))
    return f"Set5 {clean:.3f} Set5@jpeg60 {worse:.3f}"


def enlarge_with(net: nn.Module):
    """The network as a function of bytes, for `score`."""

    @torch.no_grad()
    def enlarge(low: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(low.transpose(2, 0, 1)[None].copy()).float() / 255
        return net(x)[0].clamp(0, 1).mul(255).round().byte().numpy().transpose(1, 2, 0)

    return enlarge
