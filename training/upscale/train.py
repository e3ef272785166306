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

Y_WEIGHT = (65.481 / 219, 128.553 / 219, 24.966 / 219)
MEAN_DECAY = 0.999
GRADIENT_LIMIT = 0.5


def train(a) -> None:
    """Goes on from `run/state.pt` where there is one; writes it every 500 steps."""
    os.makedirs(a.run, exist_ok=True)
    torch.manual_seed(a.seed)
    net = Net(a.scale, a.channels, a.blocks, a.convolutions)
    if a.init:
        load_start(net, a.init, a.same_scale)
    net.to(a.device)
    mean = copy.deepcopy(net)
    optimiser = adam(net.parameters(), a)
    state = os.path.join(a.run, "state.pt")

    def resume() -> int:
        kept = load_checkpoint(state)
        net.load_state_dict(kept["net"])
        mean.load_state_dict(kept["mean"])
        optimiser.load_state_dict(kept["optimiser"])
        return kept["n"]

    n = resume() if os.path.exists(state) else 0
    pictures = Pictures(a.pictures, a.scale, a.patch, a.batch, a.degrade, a.seed + n, device=a.device)
    schedule, first = Schedule(a, n), n
    steps: dict[tuple[bool, bool], Step] = {}
    total = torch.zeros((), device=a.device)
    while (done := schedule.done(n)) < 1:
        set_rate(optimiser, learning_rate(a.rate, n - first if a.init else n, done))
        kind = (done < a.half_until, done >= a.square_from)
        if kind not in steps:
            steps.clear()
            steps[kind] = Step(lambda x, y: advance(net, optimiser, x, y, *kind), a.device)
        total += steps[kind](*pictures.next())
        n += 1
        follow(mean, net, min(MEAN_DECAY, n / (n + 100)))
        if n % 500 == 0:
            if not torch.isfinite(total):
                print(n, "the loss is no number: back to the last checkpoint at half the rate", flush=True)
                resume()
                steps.clear()
                a.rate /= 2
            else:
                save_checkpoint(state, net=net, mean=mean, optimiser=optimiser, n=n)
            print(n, f"{schedule.seconds() / 60:.1f} min, {schedule.seconds() / (n - first):.4f} s/step, loss {total.item() / 500:.5f}", flush=True)
            total.zero_()
    save_checkpoint(state, net=net, mean=mean, optimiser=optimiser, n=n)
    print(n, report(mean.plain(), a) if a.benchmark else "", flush=True)


class Schedule:
    """How far a training is, 0 to 1: by its steps, or by the clock where `minutes` are given."""

    def __init__(self, a, n: int):
        self.steps, self.limit, self.started = a.steps, a.minutes and 60 * a.minutes, time.time()

    def seconds(self) -> float:
        return time.time() - self.started

    def done(self, n: int) -> float:
        if self.limit and torch.cuda.is_available() and n % 20 == 0:
            torch.cuda.synchronize()  # work waits in the device's queue: the clock alone would be ahead of it
        return self.seconds() / self.limit if self.limit else n / self.steps


class Step:
    """A step of training, `work(x, y)` to a loss. On a GPU it is recorded after some runs, and played from then on: the
    thousand small operations of a step cost more to start than to run."""

    WARM_UP = 5

    def __init__(self, work, device: str):
        self.work, self.recording, self.runs, self.given = work, None, 0, None
        self.on_gpu = device.startswith("cuda")

    def __call__(self, *given: torch.Tensor) -> torch.Tensor:
        if not self.on_gpu:
            return self.work(*given)
        if self.given is None:
            self.given = [x.clone() for x in given]
        for mine, x in zip(self.given, given):
            mine.copy_(x)
        self.runs += 1
        if self.recording:
            self.recording.replay()
            return self.loss
        if self.runs <= self.WARM_UP:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                loss = self.work(*self.given)
            torch.cuda.current_stream().wait_stream(side)
            return loss
        torch.cuda.synchronize()
        self.recording = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.recording, capture_error_mode="thread_local"):
            self.loss = self.work(*self.given)
        self.recording.replay()
        return self.loss


def advance(net: nn.Module, optimiser: torch.optim.Optimizer, x: torch.Tensor, y: torch.Tensor, half: bool, squared: bool) -> torch.Tensor:
    """One step of one network: forward, backward, and the optimiser's."""
    out = net(x.to(torch.bfloat16) if half else x)
    loss = difference(out.float() - y, squared)
    return descend(net, optimiser, loss)


def descend(net: nn.Module, optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> torch.Tensor:
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), GRADIENT_LIMIT)
    optimiser.step()
    return loss.detach()


def adam(parameters, a, betas=(0.9, 0.99)) -> torch.optim.Adam:
    on_gpu = a.device.startswith("cuda")
    return torch.optim.Adam(parameters, torch.tensor(a.rate, device=a.device) if on_gpu else a.rate, betas=betas, capturable=on_gpu)


def set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    for group in optimiser.param_groups:
        if torch.is_tensor(group["lr"]):
            group["lr"].fill_(rate * group.get("share", 1))
        else:
            group["lr"] = rate * group.get("share", 1)


def load_start(net: Net, file: str, same_scale: bool) -> None:
    """The averaged weights of another run, or those of an exported network; of another scale all but its tail, of more
    blocks the first ones."""
    taken = lambda kept: {k: v for k, v in kept.items() if same_scale or not k.startswith("tail")}
    if file.endswith(".onnx"):
        become(net, taken(load_exported(file)))
    else:
        names = net.state_dict().keys()
        net.load_state_dict({k: v for k, v in taken(load_checkpoint(file)["mean"]).items() if k in names}, strict=False)


def learning_rate(rate: float, n: int, done: float) -> float:
    """Warms up over 500 steps, then falls along a cosine to 0.002 of `rate`."""
    return float(rate * min(1, (n + 1) / 500) * (0.5 * (1 + np.cos(np.pi * done)) * 0.998 + 0.002))


def difference(d: torch.Tensor, squared: bool) -> torch.Tensor:
    """What is to become small: the error of RGB and, as much again, of Y, which the published tables look at."""
    y = luma(d)
    return 40 * (d.pow(2).mean() + y.pow(2).mean()) if squared else d.abs().mean() + y.abs().mean()


def luma(x: torch.Tensor) -> torch.Tensor:
    """Y of BT.601, [n, h, w], of RGB or of a difference of RGB."""
    return sum(weight * x[:, i] for i, weight in enumerate(Y_WEIGHT))


@torch.no_grad()
def follow(mean: nn.Module, net: nn.Module, decay: float) -> None:
    """Moves the averaged weights a little towards the trained ones."""
    torch._foreach_lerp_(list(mean.parameters()), list(net.parameters()), 1 - decay)


def report(plain: Net, a) -> str:
    set5 = os.path.join(a.benchmark, "Set5")
    clean, worse = (score(enlarge_with(plain), set5, a.scale, jpeg)[0] for jpeg in (None, 60))
    return f"Set5 {clean:.3f} Set5@jpeg60 {worse:.3f}"


def enlarge_with(net: nn.Module):
    """The network as a function of bytes, for `score`."""
    device = next(net.parameters()).device

    @torch.no_grad()
    def enlarge(low: np.ndarray) -> np.ndarray:
        x = torch.tensor(low.transpose(2, 0, 1)[None], device=device).float() / 255
        return net(x)[0].clamp(0, 1).mul(255).round().byte().cpu().numpy().transpose(1, 2, 0)

    return enlarge
