"""A network for looks: trained on from one of least error, against a network that tells its results from photographs
("GAN", Goodfellow et al. 2014; a U-Net that judges every pixel as in Real-ESRGAN, Wang et al. 2021).

The judge sees the small picture too, and what the result becomes when it is reduced again has to be that picture: detail
may be added, content may not.
"""

import copy
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm

from .checkpoint import save_checkpoint
from .network import Net
from .pictures import Pictures
from .reduction import reduction_matrix
from .train import MEAN_DECAY, Schedule, Step, adam, descend, difference, follow, learning_rate, load_start, report, set_rate

CLEAN = 0.5  # part of the pictures that is not degraded
FEATURES = 10  # how much the judge's features count beside its judgement
CONSISTENCY = 2  # how much the reduced result counts beside the result


class Judge(nn.Module):
    """[n, 3, h, w] twice, a large picture and the small one enlarged, to [n, 1, h, w]: above 0 where it seems a
    photograph. Its features are given as well."""

    def __init__(self, channels: int = 32):
        super().__init__()
        c = channels
        conv = lambda a, b, stride=1: spectral_norm(nn.Conv2d(a, b, 3, stride, 1))
        self.first = nn.Conv2d(6, c, 3, 1, 1)
        self.down = nn.ModuleList([conv(c, 2 * c, 2), conv(2 * c, 4 * c, 2), conv(4 * c, 4 * c, 2)])
        self.up = nn.ModuleList([conv(4 * c, 4 * c), conv(4 * c, 2 * c), conv(2 * c, c)])
        self.last = nn.Sequential(conv(c, c), nn.LeakyReLU(0.2), nn.Conv2d(c, 1, 3, 1, 1))

    def forward(self, large: torch.Tensor, small: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        levels = [F.leaky_relu(self.first(torch.cat([large, small], 1)), 0.2)]
        for down in self.down:
            levels.append(F.leaky_relu(down(levels[-1]), 0.2))
        x = levels[-1]
        for up, level in zip(self.up, levels[-2::-1]):
            x = F.leaky_relu(up(F.interpolate(x, scale_factor=2, mode="bilinear")), 0.2) + level
        return self.last(x), levels


def sharpen(a) -> None:
    """Goes on from `--init` and writes `run/state.pt`."""
    os.makedirs(a.run, exist_ok=True)
    torch.manual_seed(a.seed)
    net = Net(a.scale, a.channels, a.blocks, a.convolutions)
    load_start(net, a.init, same_scale=True)
    net.to(a.device)
    mean, judge = copy.deepcopy(net), Judge().to(a.device, memory_format=torch.channels_last)
    trained, judging = adam(net.parameters(), a), adam(judge.parameters(), a, betas=(0.5, 0.99))
    pictures = Pictures(a.pictures, a.scale, a.patch, a.batch, True, a.seed, device=a.device, clean=CLEAN)
    along = reduction_matrix(a.patch * a.scale, a.scale, "bicubic").to(a.device)
    step = Step(lambda x, y: advance(net, judge, trained, judging, along, x, y, a), a.device)
    schedule, n = Schedule(a, 0), 0
    while (done := schedule.done(n)) < 1:
        for one in (trained, judging):
            set_rate(one, learning_rate(a.rate, n, done))
        loss = step(*pictures.next())
        n += 1
        follow(mean, net, min(MEAN_DECAY, n / (n + 100)))
        if n % 250 == 0:
            pixels, judged, real, made = loss.tolist()
            print(n, f"{schedule.seconds() / n:.4f} s/step, pixels {pixels:.4f}, seems real {judged:.3f}, judge {real:.3f} {made:.3f}", flush=True)
        if n % 1000 == 0:
            save_checkpoint(os.path.join(a.run, "state.pt"), net=net, mean=mean, optimiser=trained, n=n)
    save_checkpoint(os.path.join(a.run, "state.pt"), net=net, mean=mean, optimiser=trained, n=n)
    print(n, report(mean.plain(), a) if a.benchmark else "", flush=True)


def advance(net, judge, trained, judging, along, x: torch.Tensor, y: torch.Tensor, a) -> torch.Tensor:
    """One step of both networks. Gives four losses, to be printed: of the pixels, of the judgement, and the judge's two."""
    half = lambda: torch.autocast(a.device.split(":")[0], torch.bfloat16, cache_enabled=False)
    small = F.interpolate(x, scale_factor=a.scale, mode="bicubic").contiguous(memory_format=torch.channels_last)
    out = net(x.to(torch.bfloat16)).float()
    for p in judge.parameters():
        p.requires_grad_(False)
    with half():
        seen, features = judge(out, small)
        with torch.no_grad():
            _, wanted = judge(y, small)
    # The reduced margin depends on pixels beyond the patch.
    reduced = (along @ (out - y) @ along.T)[:, :, 4:-4, 4:-4]
    pixels = difference(out - y, squared=False) + CONSISTENCY * difference(reduced, squared=False)
    judged = F.softplus(-seen.float()).mean()
    looks = judged + FEATURES * sum((f.float() - w.float()).abs().mean() for f, w in zip(features, wanted)) / len(features)
    # Both pull at the result with the same strength, whatever the judge's numbers are (as VQGAN does, Esser et al. 2021).
    pull = [torch.autograd.grad(loss, out, retain_graph=i == 0)[0] for i, loss in enumerate((pixels, looks))]
    strength = a.looks * pull[0].norm() / pull[1].norm().clamp_min(1e-12)
    descend(net, trained, (out * (pull[0] + strength * pull[1]).detach()).sum())
    for p in judge.parameters():
        p.requires_grad_(True)
    with half():
        real, made = judge(y, small)[0].float(), judge(out.detach(), small)[0].float()
    right = F.softplus(-real).mean(), F.softplus(made).mean()
    descend(judge, judging, right[0] + right[1])
    return torch.stack([pixels.detach(), judged.detach(), right[0].detach(), right[1].detach()])
