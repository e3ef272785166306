"""python3 -m upscale train | publish | score; --help says more. Run in the folder `training`."""

import argparse

from .publish import publish, score_files
from .train import train


def main() -> None:
    parser = argparse.ArgumentParser(prog="upscale", description=__doc__)
    commands = parser.add_subparsers(required=True)
    add_train(commands.add_parser("train", help="train a network, or go on with one"))
    add_publish(commands.add_parser("publish", help="export, quantise and score a checkpoint"))
    add_score(commands.add_parser("score", help="score ONNX files"))
    arguments = parser.parse_args()
    arguments.do(arguments)


def add_train(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=train)
    p.add_argument("--scale", type=int, required=True, choices=[2, 4])
    p.add_argument("--pictures", required=True, help="folder of photographs, searched to its depth")
    p.add_argument("--run", required=True, help="folder of the checkpoint; where there is one, training goes on")
    p.add_argument("--steps", type=int, default=60000)
    p.add_argument("--degrade", action="store_true", help="for compressed pictures: blur, noise and JPEG on the input")
    p.add_argument("--init", help="checkpoint or published 16bit .onnx to start from; of another scale all but its tail is taken")
    p.add_argument("--same-scale", action="store_true", help="take the tail of --init too")
    p.add_argument("--channels", type=int, default=64)
    p.add_argument("--blocks", type=int, default=4)
    p.add_argument("--convolutions", type=int, default=3)
    p.add_argument("--patch", type=int, default=48, help="side of a training patch, px of input")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--half-until", type=float, default=0.85, help="part of the steps that is computed in bfloat16")
    p.add_argument("--square-from", type=float, default=0.85, help="part of the steps after which the error is squared")
    p.add_argument("--benchmark", help="folder that holds Set5, scored every 2000 steps")
    p.add_argument("--seed", type=int, default=1)


def add_publish(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=publish)
    p.add_argument("--run", required=True, help="folder of the checkpoint, the checkpoint itself, or a published 16bit .onnx")
    p.add_argument("--pictures", required=True, help="photographs to measure ranges on, and to fine-tune on")
    p.add_argument("--benchmark", required=True, help="folder that holds Set5 and Set14")
    p.add_argument("--out", required=True, help="path and name of the files without .onnx")
    p.add_argument("--fine-tune", type=int, default=0, metavar="STEPS", help="steps of training with the rounding in place")
    p.add_argument("--rate", type=float, default=1e-4)
    p.add_argument("--twice", action="store_true", help="mean of the picture upright and upside down, in integers only")
    p.add_argument("--degrade", action="store_true", help="as in training")
    p.add_argument("--most", type=int, default=40, help="pictures to read at most, spread over the folder")
    p.add_argument("--patch", type=int, default=48)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--seed", type=int, default=1)


def add_score(p: argparse.ArgumentParser) -> None:
    p.set_defaults(do=score_files)
    p.add_argument("--scale", type=int, required=True, choices=[2, 4])
    p.add_argument("--benchmark", required=True)
    p.add_argument("files", nargs="+")


main()
