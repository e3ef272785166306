"""python3 -m upscale train | sharpen | publish | score; --help says more. Run in the folder `training`."""

import argparse

import torch

from .publish import publish, score_files
from .sharper import sharpen
from .train import train


def main() -> None:
    parser = argparse.ArgumentParser(prog="upscale", description=__doc__)
    commands = parser.add_subparsers(required=True)
    add_train(commands.add_parser("train", help="train a network, or go on with one"))
    add_sharpen(commands.add_parser("sharpen", help="train a network on for looks"))
    add_publish(commands.add_parser("publish", help="export, quantise and score a checkpoint"))
    add_score(commands.add_parser("score", help="score ONNX files"))
    arguments = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    arguments.do(arguments)


def add_train(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=train)
    add_training(p, rate=1e-3)
    p.add_argument("--degrade", action="store_true", help="for compressed pictures: blur, noise and JPEG on the input")
    p.add_argument("--init", help="checkpoint or published 16bit .onnx to start from; of another scale all but its tail is taken")
    p.add_argument("--same-scale", action="store_true", help="take the tail of --init too")
    p.add_argument("--half-until", type=float, default=0.85, help="part of the training that is computed in bfloat16")
    p.add_argument("--square-from", type=float, default=0.85, help="part of the training after which the error is squared")


def add_sharpen(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=sharpen)
    add_training(p, rate=2e-4)
    p.add_argument("--init", required=True, help="checkpoint or published 16bit .onnx of the same scale")
    p.add_argument("--looks", type=float, default=1, help="how hard looks pull at a result beside its error")


def add_training(p: argparse.ArgumentParser, rate: float) -> None:
    p.add_argument("--scale", type=int, required=True, choices=[2, 4])
    p.add_argument("--pictures", required=True, help="folder of photographs, searched to its depth")
    p.add_argument("--run", required=True, help="folder of the checkpoint; where there is one, `train` goes on")
    p.add_argument("--steps", type=int, default=60000)
    p.add_argument("--minutes", type=float, help="end by the clock instead of by steps; the learning rate falls along it")
    p.add_argument("--channels", type=int, default=64)
    p.add_argument("--blocks", type=int, default=8)
    p.add_argument("--convolutions", type=int, default=3)
    p.add_argument("--patch", type=int, default=48, help="side of a training patch, px of input")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--rate", type=float, default=rate)
    p.add_argument("--benchmark", help="folder that holds Set5, scored at the end")
    add_common(p)


def add_common(p: argparse.ArgumentParser) -> None:
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")


def add_publish(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=publish)
    p.add_argument("--run", required=True, help="folder of the checkpoint, the checkpoint itself, or a published 16bit .onnx")
    p.add_argument("--pictures", required=True, help="photographs to measure ranges on, and to fine-tune on")
    p.add_argument("--benchmark", required=True, help="folder that holds Set5 and Set14")
    p.add_argument("--out", required=True, help="path and name of the files without .onnx")
    p.add_argument("--fine-tune", type=int, default=0, metavar="STEPS", help="steps of training with the rounding in place")
    p.add_argument("--rate", type=float, default=1e-4)
    p.add_argument("--mix", nargs=2, metavar=("FILE", "SHARE"), help="another network, and how far to go towards it, 0 to 1")
    p.add_argument("--twice", action="store_true", help="mean of the picture upright and upside down, in integers only")
    p.add_argument("--degrade", action="store_true", help="as in training")
    p.add_argument("--most", type=int, default=40, help="pictures to read at most, spread over the folder")
    p.add_argument("--patch", type=int, default=48)
    p.add_argument("--batch", type=int, default=16)
    add_common(p)


def add_score(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=score_files)
    p.add_argument("--scale", type=int, required=True, choices=[2, 4])
    p.add_argument("--benchmark", required=True)
    p.add_argument("files", nargs="+")


main()
