import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

// Messages of onnx.proto (IR version 8, operators of version 14), by the numbers of their fields.

type AttributeValue = number | string | readonly number[];

type OnnxGraph = {
  nodes: Uint8Array[];
  constants: Uint8Array[];
  input: { name: string; shape: readonly number[] };
  output: { name: string; shape: readonly number[] };
};

/** A whole model of float32 input and output. */
export function onnxModel({ nodes, constants, input, output }: OnnxGraph): Uint8Array {
  const graph = message((writer) => {
    for (const node of nodes) bytes(writer, 1, node);
    text(writer, 2, "graph");
    for (const constant of constants) bytes(writer, 5, constant);
    bytes(writer, 11, valueInfo(input));
    bytes(writer, 12, valueInfo(output));
  });
  return message((writer) => {
    integer(writer, 1, 8);
    text(writer, 2, "tintype");
    bytes(writer, 7, graph);
    bytes(
      writer,
      8,
      message((opset) => integer(text(opset, 1, ""), 2, 14)),
    );
  });
}

type Node = {
  operator: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, AttributeValue>>;
};

export const onnxNode = ({ operator, inputs, output, attributes = {} }: Node): Uint8Array =>
  message((writer) => {
    for (const input of inputs) text(writer, 1, input);
    text(writer, 2, output);
    text(writer, 3, output);
    text(writer, 4, operator);
    for (const [name, value] of Object.entries(attributes)) bytes(writer, 5, attribute(name, value));
  });

export const onnxFloats = (name: string, shape: readonly number[], values: Float32Array): Uint8Array =>
  constant(name, { shape, type: 1, values });
export const onnxIntegers = (name: string, values: readonly number[]): Uint8Array =>
  constant(name, { shape: [values.length], type: 7, values: BigInt64Array.from(values, BigInt) });

type Constant = { shape: readonly number[]; type: number; values: Float32Array | BigInt64Array };

const constant = (name: string, { shape, type, values }: Constant): Uint8Array =>
  message((writer) => {
    for (const size of shape) integer(writer, 1, size);
    integer(writer, 2, type);
    text(writer, 8, name);
    bytes(writer, 9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  });

/** AttributeProto: a whole number (2), a text (3), or whole numbers (7). */
const attribute = (name: string, value: AttributeValue): Uint8Array =>
  message((writer) => {
    text(writer, 1, name);
    if (typeof value === "number") integer(integer(writer, 3, value), 20, 2);
    else if (typeof value === "string") integer(text(writer, 4, value), 20, 3);
    else {
      for (const one of value) integer(writer, 8, one);
      integer(writer, 20, 7);
    }
  });

/** ValueInfoProto of a float32 tensor. */
const valueInfo = ({ name, shape }: OnnxGraph["input"]): Uint8Array => {
  const sizes = message((writer) => {
    for (const size of shape)
      bytes(
        writer,
        1,
        message((one) => integer(one, 1, size)),
      );
  });
  const tensor = message((writer) => bytes(integer(writer, 1, 1), 2, sizes));
  return message((writer) =>
    bytes(
      text(writer, 1, name),
      2,
      message((type) => bytes(type, 1, tensor)),
    ),
  );
};

function message(write: (writer: BinaryWriter) => unknown): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

const integer = (writer: BinaryWriter, field: number, value: number) => writer.tag(field, WireType.Varint).int64(value);
const text = (writer: BinaryWriter, field: number, value: string) =>
  writer.tag(field, WireType.LengthDelimited).string(value);
const bytes = (writer: BinaryWriter, field: number, value: Uint8Array) =>
  writer.tag(field, WireType.LengthDelimited).bytes(value);
