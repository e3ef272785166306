"""From a checkpoint to the files that ship, scored: the network in integers, and in floating point for 16 bit pictures."""

import hashlib
import json
import os
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch

from .checkpoint import load_plain
from .export import export_float, export_integer
from .network import Net, receptive_radius
from .pictures import Pictures
from .quantise import QuantisedNet, calibrate, centre_colours, fine_tune
from .score import score

CALIBRATION_BATCHES = 6
JPEG_QUALITIES = [90, 75, 60]


def publish(a) -> None:
    """Writes `out`.onnx (bytes) and `out`-16bit.onnx (float32), prints a table of both and a row for the catalogue."""
    checkpoint = os.path.join(a.run, "state.pt") if os.path.isdir(a.run) else a.run
    plain = load_plain(checkpoint)
    if a.mix:
        mix(plain, load_plain(a.mix[0]), float(a.mix[1]))
    plain.to(a.device)
    scale = plain.shape["scale"]
    files = {"float": f"{a.out}-16bit.onnx", "integer": f"{a.out}.onnx"}
    pictures = Pictures(a.pictures, scale, a.patch, a.batch, a.degrade, a.seed, most=a.most, device=a.device)
    x, y = (torch.cat(both) for both in zip(*(pictures.next() for _ in range(CALIBRATION_BATCHES))))
    print("mean colour moved by", (255 * centre_colours(plain, x, y)).tolist(), "of 255")
    net = QuantisedNet(plain).to(a.device)
    export_float(plain.cpu(), files["float"])
    calibrate(net, x)
    if a.fine_tune:
        fine_tune(net, pictures, a)
    centre_colours(net, x, y)
    export_integer(net.cpu(), files["integer"], a.twice)
    shape = plain.shape
    print(f"x{scale}, {sum(p.numel() for p in plain.parameters()):,} parameters,",
          f"{shape['channels']} channels, {shape['blocks']} blocks of {shape['convolutions']}, reach {receptive_radius(shape)} px\n")  # fmt: skip
    print_table(files, a.benchmark, scale)
    print()
    print(json.dumps([catalogue_facts(f, receptive_radius(shape)) for f in files.values()], indent=2))


@torch.no_grad()
def mix(net: Net, other: Net, share: float) -> None:
    """Moves the weights towards those of a network that was trained on from it, or before it: between the two lie
    networks whose results lie between theirs ("network interpolation", Wang et al. 2018)."""
    torch._foreach_lerp_(list(net.parameters()), list(other.parameters()), share)


def score_files(a) -> None:
    """The same table for any ONNX files, ours or others'."""
    print_table({Path(f).name: f for f in a.files}, a.benchmark, a.scale)


def print_table(files: dict[str, str], benchmark: str, scale: int) -> None:
    sets = [one for one in ("Set5", "Set14") if os.path.isdir(os.path.join(benchmark, one))]
    heads = [f"{one} PSNR / SSIM" for one in sets] + [f"{sets[0]}, JPEG {q}" for q in JPEG_QUALITIES]
    print("| network | " + " | ".join([*heads, "MP/s, 2 threads"]) + " |")
    print("|---" * (len(heads) + 2) + "|")
    for name, file in files.items():
        session = open_session(file)
        enlarge = enlarge_with_file(session)
        cells = ["{:.2f} / {:.4f}".format(*score(enlarge, os.path.join(benchmark, one), scale)) for one in sets]
        cells += [f"{score(enlarge, os.path.join(benchmark, sets[0]), scale, q)[0]:.2f}" for q in JPEG_QUALITIES]
        print(f"| {name} | " + " | ".join([*cells, f"{speed(enlarge, scale):.1f}"]) + " |", flush=True)


def open_session(file: str) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 2
    options.log_severity_level = 3
    return ort.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def enlarge_with_file(session: ort.InferenceSession):
    """A model of bytes or of floats as a function of bytes, for `score`."""

    def of_bytes(low: np.ndarray) -> np.ndarray:
        return session.run(None, {"input": np.ascontiguousarray(low[None])})[0][0]

    def of_floats(low: np.ndarray) -> np.ndarray:
        x = low.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255)
        out = session.run(None, {"input": x})[0][0].transpose(1, 2, 0)
        return np.round(np.clip(out, 0, 1) * 255).astype(np.uint8)

    return of_bytes if session.get_inputs()[0].type == "tensor(uint8)" else of_floats


def speed(enlarge, scale: int, side: int = 128, runs: int = 10) -> float:
    """Megapixels of result a second, the best of some runs: what the machine does else only takes away."""
    low = np.random.default_rng(0).integers(0, 256, (side, side, 3), dtype=np.uint8)
    enlarge(low)
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        enlarge(low)
        times.append(time.perf_counter() - started)
    return side * side * scale * scale / min(times) / 1e6


def catalogue_facts(file: str, reach: int) -> dict:
    content = Path(file).read_bytes()
    return dict(fileName=Path(file).name, sha256=hashlib.sha256(content).hexdigest(), sizeBytes=len(content), reachPx=reach)
