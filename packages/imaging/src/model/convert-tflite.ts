import { ModelError } from "./model-error.ts";
import { onnxFloats, onnxIntegers, onnxModel, onnxNode } from "./onnx-writer.ts";
import { readTflite, type TfliteStep, type TfliteTensor } from "./tflite.ts";
import { widenNumbers } from "./widen.ts";

/** The names of the converted model's input and output. */
export const convertedNames = { input: "input", output: "output" } as const;

/**
 * A TensorFlow Lite model as ONNX, with weights in 32 bits and planes in the order [1, channels, height, width]. It knows
 * the operators of MediaPipe's segmenters.
 * @throws ModelError when the file is none, or has an operator or an option that this function does not know
 */
export function convertTflite(file: Uint8Array): Uint8Array {
  const { tensors, steps, inputs, outputs } = readTflite(file);
  const [input, output] = [inputs[0], outputs[0]];
  if (input === undefined || output === undefined || inputs.length + outputs.length !== 2)
    throw new ModelError("The TensorFlow Lite model has other than one input and one output.");
  const conversion: Conversion = {
    tensors,
    constants: [],
    nodes: [],
    unpacked: new Map(),
    nameOf: (tensor) =>
      tensor === input ? convertedNames.input : tensor === output ? convertedNames.output : `tensor${tensor}`,
  };
  for (const step of steps) {
    const added = convertStep(step, conversion);
    if (added) addNode(conversion, added);
  }
  const shape = (tensor: number) => planesFirst(tensorAt(conversion, tensor).shape);
  return onnxModel({
    nodes: conversion.nodes,
    constants: conversion.constants,
    input: { name: convertedNames.input, shape: shape(input) },
    output: { name: convertedNames.output, shape: shape(output) },
  });
}

type Conversion = {
  tensors: readonly TfliteTensor[];
  nodes: Uint8Array[];
  constants: Uint8Array[];
  /** By a tensor that DEQUANTIZE fills, the constant in 16 bits that it fills it from. */
  unpacked: Map<number, number>;
  nameOf(tensor: number): string;
};

/** The node for a step; undefined for a step that only unpacks a constant. */
function convertStep(step: TfliteStep, conversion: Conversion): Added | undefined {
  const { operator, inputs, outputs } = step;
  const [first = -1, second = -1, third = -1] = inputs;
  const output = outputs[0] ?? -1;
  const name = conversion.nameOf(first);
  const add = (type: string, names: string[], attributes: Attributes = {}, activation = 0): Added => ({
    ...{ type, names, output, attributes, activation },
  });
  switch (operator) {
    case "DEQUANTIZE":
      conversion.unpacked.set(output, first);
      return undefined;
    case "CONV_2D":
      // Options: padding, strideWidth, strideHeight, activation, dilationWidth, dilationHeight.
      return add(
        "Conv",
        [name, weights(conversion, second, [0, 3, 1, 2]), bias(conversion, third)],
        {
          ...sliding(step),
          dilations: [step.option(5, "int32", 1), step.option(4, "int32", 1)],
        },
        step.option(3, "int8"),
      );
    case "DEPTHWISE_CONV_2D":
      // As above with a multiplier of channels before the activation. Weights are [1, height, width, channels].
      return add(
        "Conv",
        [name, weights(conversion, second, [3, 0, 1, 2]), bias(conversion, third)],
        {
          ...sliding(step),
          group: tensorAt(conversion, first).shape[3] ?? 1,
          dilations: [step.option(6, "int32", 1), step.option(5, "int32", 1)],
        },
        step.option(4, "int8"),
      );
    case "CUSTOM Convolution2DTransposeBias": {
      const kernel = tensorAt(conversion, second).shape;
      // TfLiteTransposeConvParams: padding (1 is "same"), stride across, stride down.
      const [padding, across, down] = new Int32Array(new Uint8Array(step.custom).buffer);
      if (padding !== 1 || across !== 2 || down !== 2 || kernel[1] !== 2 || kernel[2] !== 2) throw unknown(operator);
      return add("ConvTranspose", [name, weights(conversion, second, [3, 0, 1, 2]), bias(conversion, third)], {
        strides: [2, 2],
      });
    }
    case "AVERAGE_POOL_2D": {
      const [, height, width] = tensorAt(conversion, first).shape;
      if (step.option(3, "int32") !== width || step.option(4, "int32") !== height) throw unknown(operator);
      return add("GlobalAveragePool", [name], {}, step.option(5, "int8"));
    }
    case "MEAN":
      return add("GlobalAveragePool", [name]);
    case "ADD":
    case "MUL":
      return add(operator === "ADD" ? "Add" : "Mul", [name, conversion.nameOf(second)], {}, step.option(0, "int8"));
    case "RELU":
      return add("Relu", [name]);
    case "LOGISTIC":
      return add("Sigmoid", [name]);
    case "HARD_SWISH":
      return add("HardSwish", [name]);
    case "RESIZE_BILINEAR": {
      const [alignsCorners, hasHalfPixelCentres] = [step.option(2, "int8"), step.option(3, "int8")];
      if (alignsCorners || !hasHalfPixelCentres) throw unknown(operator);
      const sizes = `sizes${output}`;
      conversion.constants.push(onnxIntegers(sizes, planesFirst(tensorAt(conversion, output).shape)));
      return add("Resize", [name, "", "", sizes], {
        mode: "linear",
        coordinate_transformation_mode: "half_pixel",
      });
    }
    default:
      throw unknown(operator);
  }
}

type Attributes = Readonly<Record<string, number | string | readonly number[]>>;
type Added = { type: string; names: string[]; output: number; attributes: Attributes; activation: number };

/** ActivationFunctionType: a step may end in one. */
const activations: Readonly<Record<number, "Relu" | "Clip" | undefined>> = { 1: "Relu", 3: "Clip" };

function addNode(conversion: Conversion, { type, names, output, attributes, activation }: Added): void {
  const { nodes, constants, nameOf } = conversion;
  const result = nameOf(output);
  const after = activations[activation];
  if (activation !== 0 && !after) throw unknown(`activation ${activation}`);
  const before = after ? `${result}before` : result;
  nodes.push(onnxNode({ operator: type, inputs: names, output: before, attributes }));
  if (after === "Relu") nodes.push(onnxNode({ operator: "Relu", inputs: [before], output: result }));
  if (after !== "Clip") return;
  // RELU6.
  constants.push(
    onnxFloats(`${result}low`, [], Float32Array.of(0)),
    onnxFloats(`${result}high`, [], Float32Array.of(6)),
  );
  nodes.push(onnxNode({ operator: "Clip", inputs: [before, `${result}low`, `${result}high`], output: result }));
}

/** "SAME" puts the odd pixel of its padding below and to the right, as SAME_UPPER does. */
const sliding = (step: TfliteStep): Attributes => ({
  strides: [step.option(2, "int32"), step.option(1, "int32")],
  ...(step.option(0, "int8") === 0 ? { auto_pad: "SAME_UPPER" } : {}),
});

function tensorAt({ tensors }: Conversion, place: number): TfliteTensor {
  const tensor = tensors[place];
  if (!tensor) throw new ModelError("The TensorFlow Lite model names a tensor that it does not have.");
  return tensor;
}

function numbersOf(conversion: Conversion, place: number): { shape: number[]; values: Float32Array } {
  const tensor = tensorAt(conversion, conversion.unpacked.get(place) ?? place);
  if (!tensor.data) throw unknown("weights that are computed");
  const { shape, data } = tensor;
  if (tensor.type === "float16") return { shape, values: new Float32Array(widenNumbers(data).buffer) };
  // A copy: its numbers begin at a multiple of four.
  if (tensor.type === "float32") return { shape, values: new Float32Array(new Uint8Array(data).buffer) };
  throw unknown(`weights of ${tensor.type} numbers`);
}

type Order = readonly [number, number, number, number];

/** Four-dimensional weights in another order of their dimensions; answers their name. */
function weights(conversion: Conversion, place: number, order: Order): string {
  const { shape, values } = numbersOf(conversion, place);
  const name = `weights${place}`;
  const side = (dimension: number) => shape[dimension] ?? 1;
  const steps = [side(1) * side(2) * side(3), side(2) * side(3), side(3), 1];
  const [a, b, c, d] = order.map((dimension) => ({ count: side(dimension), step: steps[dimension] ?? 1 }));
  if (!a || !b || !c || !d) throw unknown("weights of another shape");
  const moved = new Float32Array(values.length);
  let at = 0;
  for (let i = 0; i < a.count; i += 1)
    for (let j = 0; j < b.count; j += 1)
      for (let k = 0; k < c.count; k += 1)
        for (let l = 0; l < d.count; l += 1) {
          moved[at] = values[i * a.step + j * b.step + k * c.step + l * d.step] ?? 0;
          at += 1;
        }
  conversion.constants.push(onnxFloats(name, order.map(side), moved));
  return name;
}

function bias(conversion: Conversion, place: number): string {
  const { shape, values } = numbersOf(conversion, place);
  const name = `bias${place}`;
  conversion.constants.push(onnxFloats(name, shape, values));
  return name;
}

const planesFirst = ([count = 1, height = 1, width = 1, channels = 1]: readonly number[]) => [
  count,
  channels,
  height,
  width,
];

const unknown = (what: string) => new ModelError(`The TensorFlow Lite model has ${what}, which is not converted.`);
