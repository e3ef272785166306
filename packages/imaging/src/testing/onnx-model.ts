import { writeFile } from "node:fs/promises";

type Dimension = number | string;
type PixelModel = {
  /** Three weights for each output channel; the output is `weights · rgb + bias`. */
  weights: readonly (readonly [number, number, number])[];
  bias: readonly number[];
  activation?: "Sigmoid" | "Clip";
  /** A number is a fixed dimension, a name a dynamic one. */
  height: Dimension;
  width: Dimension;
  inputName?: string;
  outputName?: string;
};

/**
 * Writes a model of one 1x1 convolution: a minimal ONNX file, which onnxruntime opens and runs like any other. Field
 * numbers of onnx.proto3 (ONNX 1.10, IR version 8).
 */
export async function writePixelModel(path: string, model: PixelModel): Promise<void> {
  const { weights, bias, activation, height, width, inputName = "input", outputName = "output" } = model;
  const channels = weights.length;
  const linear = activation ? "linear" : outputName;
  const nodes = [node("Conv", [inputName, "weights", "bias"], linear)];
  if (activation) nodes.push(node(activation, activation === "Clip" ? [linear, "low", "high"] : [linear], outputName));
  const graph = message(
    ...nodes.map((one) => field(1, one)),
    field(2, "pixelwise"),
    field(5, tensor("weights", [channels, 3, 1, 1], weights.flat())),
    field(5, tensor("bias", [channels], bias)),
    ...(activation === "Clip" ? [field(5, tensor("low", [], [0])), field(5, tensor("high", [], [1]))] : []),
    field(11, value(inputName, [1, 3, height, width])),
    field(12, value(outputName, [1, channels, height, width])),
  );
  const opset = message(field(2, 15));
  await writeFile(path, message(field(1, 8), field(7, graph), field(8, opset)));
}

const node = (type: string, inputs: readonly string[], output: string) =>
  message(...inputs.map((name) => field(1, name)), field(2, output), field(4, type));

function tensor(name: string, dims: readonly number[], values: readonly number[]): Buffer {
  const raw = Buffer.from(new Float32Array(values).buffer);
  return message(...dims.map((size) => field(1, size)), field(2, 1), field(8, name), field(9, raw));
}

function value(name: string, dims: readonly Dimension[]): Buffer {
  const shape = message(...dims.map((size) => field(1, message(field(typeof size === "number" ? 1 : 2, size)))));
  return message(field(1, name), field(2, message(field(1, message(field(1, 1), field(2, shape))))));
}

const message = (...fields: readonly Buffer[]) => Buffer.concat(fields);

function field(number: number, content: number | string | Buffer): Buffer {
  if (typeof content === "number") return Buffer.concat([varint(number << 3), varint(content)]);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
}
