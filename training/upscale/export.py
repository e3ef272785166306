"""ONNX files: the network in floating point, and in integers."""

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from .network import LEAK, Net, nearest_kernel
from .quantise import QuantisedConv, QuantisedNet, weight_steps

OPSET = 13
BYTES = (1 / 255, 0)  # scale and zero point of a picture's samples


def export_float(net: Net, file: str) -> None:
    """`input` float32 [1, 3, h, w] to `output` float32 [1, 3, h*scale, w*scale], RGB, 0..1, not clamped."""
    torch.onnx.export(
        net, torch.rand(1, 3, 17, 23), file, input_names=["input"], output_names=["output"], opset_version=OPSET,
        dynamic_axes={"input": {2: "h", 3: "w"}, "output": {2: "H", 3: "W"}}, dynamo=False,
    )  # fmt: skip


def export_integer(net: QuantisedNet, file: str, twice: bool = False) -> None:
    """`input` uint8 [1, h, w, 3] to `output` uint8 [1, h*scale, w*scale, 3], RGB as pictures are stored.

    Written as standard ONNX (quantise and dequantise around each operator), which onnxruntime joins to integer operators.
    With `twice` the picture is enlarged as it is and upside down, and the mean is given ("self-ensemble", Timofte et al.
    2016): twice the work for what a longer training gives.
    """
    graph = Graph()
    pixels = graph.add("Concat", ["input", upside_down(graph, "input")], axis=0) if twice else "input"
    picture = graph.dequantise(graph.add("Transpose", [pixels], perm=[0, 3, 1, 2]), *BYTES)
    head = y = graph.convolution(picture, 1 / 255, net.head)
    at = net.head.range
    for block in net.blocks:
        x = y
        for convolution, leak in zip(block.convolutions, block.leaks):
            y = graph.convolution(y, at.numbers()[0], convolution)
            y, at = graph.requantise(graph.add("LeakyRelu", [y], alpha=LEAK), leak.numbers()), leak
        y = graph.convolution(y, at.numbers()[0], block.convolutions[-1])
        y, at = graph.requantise(graph.add("Add", [x, y]), block.sum.numbers()), block.sum
    y = graph.convolution(y, at.numbers()[0], net.join)
    y = graph.requantise(graph.add("Add", [y, head]), net.sum.numbers())
    enlarged = write_tail(graph, net, pixels, picture, y)
    if twice:
        halves = [graph.slice(enlarged, 0, 1, axis=0), upside_down(graph, graph.slice(enlarged, 1, 2, axis=0))]
        enlarged = graph.quantise(graph.add("Add", [graph.dequantise(half, 0.5, 0) for half in halves]), 1, 0)
    graph.nodes.append(helper.make_node("Identity", [enlarged], ["output"], "output"))
    onnx.save(graph.model(net.scale), file)


def upside_down(graph: "Graph", x: str) -> str:
    """Rows in reverse; whole rows are cheaper to move than pixels."""
    return graph.slice(x, -1, np.iinfo(np.int64).min, axis=1, step=-1)


def write_tail(graph: "Graph", net: QuantisedNet, pixels: str, picture: str, y: str) -> str:
    """The correction, added to the nearest neighbour's picture, and laid out as rows of pixels.

    Channels are put in the order (row, column, colour) within a pixel's square, so that a row of a square is one
    run of bytes and the pixel shuffle moves runs instead of single bytes. The picture is repeated by a pointwise
    convolution with ones and noughts: exact, and quicker than joining copies of three bytes.
    """
    s = net.scale
    order = np.arange(3 * s * s).reshape(3, s, s).transpose(1, 2, 0).reshape(-1)
    correction = graph.convolution(y, net.sum.numbers()[0], net.tail, order)
    nearest = graph.requantise(graph.add("Conv", [picture, graph.weights(nearest_kernel(s).numpy()[order], np.ones(len(order)))], kernel_shape=[1, 1]), BYTES)
    sums = graph.quantise(graph.add("Add", [correction, nearest]), *BYTES)
    squares = graph.add("Reshape", [graph.add("Transpose", [sums], perm=[0, 2, 3, 1]), graph.constant(np.array([0, 0, -1, s, 3 * s], np.int64))])
    rows = graph.add("Transpose", [squares], perm=[0, 1, 3, 2, 4])
    size = graph.add("Mul", [graph.add("Shape", [pixels]), graph.constant(np.array([1, s, s, 1], np.int64))])
    return graph.add("Reshape", [rows, size])


class Graph:
    """Collects nodes and constants; each method gives the name of the tensor it made."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def add(self, kind: str, inputs: list[str], **attributes) -> str:
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def constant(self, value: np.ndarray) -> str:
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def steps(self, scale: float, zero: int) -> list[str]:
        return [self.constant(np.float32(scale)), self.constant(np.uint8(zero))]

    def quantise(self, x: str, scale: float, zero: int) -> str:
        return self.add("QuantizeLinear", [x, *self.steps(scale, zero)])

    def dequantise(self, x: str, scale: float, zero: int) -> str:
        return self.add("DequantizeLinear", [x, *self.steps(scale, zero)])

    def slice(self, x: str, start: int, end: int, axis: int, step: int = 1) -> str:
        return self.add("Slice", [x, *(self.constant(np.array([n], np.int64)) for n in (start, end, axis, step))])

    def requantise(self, x: str, at: tuple[float, int]) -> str:
        return self.dequantise(self.quantise(x, *at), *at)

    def weights(self, whole: np.ndarray, step: np.ndarray) -> str:
        """Whole numbers -64..64 [out, in, kh, kw] times a step an output channel."""
        return self.add("DequantizeLinear", [self.constant(whole.astype(np.int8)), self.constant(step.astype(np.float32)), self.constant(np.zeros(len(step), np.int8))], axis=0)

    def convolution(self, x: str, x_scale: float, conv: QuantisedConv, order: np.ndarray | None = None) -> str:
        step = weight_steps(conv.weight)
        weight = (conv.weight.detach() / step).round().numpy()
        step, bias = step.reshape(-1).numpy(), conv.bias.detach().numpy()
        if order is not None:
            weight, step, bias = weight[order], step[order], bias[order]
        bias_step = (step * np.float32(x_scale)).astype(np.float32)
        whole = self.constant(np.round(bias / bias_step).astype(np.int32))
        biases = self.add("DequantizeLinear", [whole, self.constant(bias_step), self.constant(np.zeros(len(step), np.int32))], axis=0)
        out = self.add("Conv", [x, self.weights(weight, step), biases], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        return self.requantise(out, conv.range.numbers())

    def model(self, scale: int) -> onnx.ModelProto:
        shape = lambda name, h, w: helper.make_tensor_value_info(name, TensorProto.UINT8, [1, h, w, 3])
        graph = helper.make_graph(self.nodes, f"upscale-x{scale}", [shape("input", "h", "w")], [shape("output", "H", "W")], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        return model
