import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ModelError } from "./model-error.ts";

/** Field numbers of the messages read here (onnx.proto, IR version 8). All other fields are copied verbatim. */
const model = { graph: 7 } as const;
const graph = { node: 1, initializer: 5, output: 12, valueInfo: 13 } as const;
const node = { input: 1, output: 2, operator: 4, attribute: 5 } as const;
const attribute = { name: 1, integer: 3, tensor: 5, graph: 6 } as const;
const tensor = { type: 2, name: 8, bytes: 9 } as const;
const valueInfo = { name: 1 } as const;
/** TensorProto.DataType. */
const [float32, float16] = [1, 10];

/**
 * Converts an ONNX model's float16 tensors to float32, and prunes the graph to the nodes of one output. On processors
 * without float16 arithmetic onnxruntime converts at each use, and it computes every output, needed or not: without
 * both, ISNet takes a fifth less time.
 * @throws ModelError if it lacks the output, or stores numbers in an unknown encoding
 */
export function widenModel(file: Uint8Array, output: string): Uint8Array {
  return edit(file, ({ number, value }) => (number === model.graph ? embed(number, widenGraph(value, output)) : same));
}

function widenGraph(bytes: Uint8Array, output: string): Uint8Array {
  const needed = neededFor(output, [...fieldsOf(bytes)].filter(({ number }) => number === graph.node).map(linksOf));
  return edit(bytes, ({ number, value }) => {
    switch (number) {
      case graph.node:
        return linksOf({ value }).gives.some((name) => needed.has(name)) ? embed(number, widenNode(value)) : gone;
      case graph.initializer:
        return needed.has(nameOf(value, tensor.name)) ? embed(number, widenTensor(value)) : gone;
      case graph.output:
        return nameOf(value, valueInfo.name) === output ? same : gone;
      case graph.valueInfo:
        return gone; // intermediate types are inferred
      default:
        return same;
    }
  });
}

type Links = { takes: string[]; gives: string[] };

function linksOf({ value }: Pick<Field, "value">): Links {
  const fields = [...fieldsOf(value)];
  const names = (wanted: number) => fields.filter(({ number }) => number === wanted).map(textOf);
  return { takes: names(node.input), gives: names(node.output) };
}

/** The names of everything the output depends on. Nodes may be in any order. */
function neededFor(output: string, nodes: readonly Links[]): Set<string> {
  const makers = new Map(nodes.flatMap((links) => links.gives.map((name) => [name, links] as const)));
  if (!makers.has(output)) throw new ModelError(`The model has no output ${output}.`);
  const needed = new Set([output]);
  // Iterating a set also visits the members added meanwhile.
  for (const name of needed) for (const taken of makers.get(name)?.takes ?? []) needed.add(taken);
  return needed;
}

function widenNode(bytes: Uint8Array): Uint8Array {
  const isCast = [...fieldsOf(bytes)].some((field) => field.number === node.operator && textOf(field) === "Cast");
  return edit(bytes, ({ number, value }) =>
    number === node.attribute ? embed(number, widenAttribute(value, isCast)) : same,
  );
}

function widenAttribute(bytes: Uint8Array, isOfCast: boolean): Uint8Array {
  const isTarget = isOfCast && nameOf(bytes, attribute.name) === "to";
  return edit(bytes, (field) => {
    if (field.number === attribute.graph) throw new ModelError("The model has graphs within its graph.");
    if (field.number === attribute.tensor) return embed(field.number, widenTensor(field.value));
    if (field.number === attribute.integer && isTarget && integerOf(field) === float16)
      return integer(field.number, float32);
    return same;
  });
}

function widenTensor(bytes: Uint8Array): Uint8Array {
  const fields = [...fieldsOf(bytes)];
  if (!fields.some((field) => field.number === tensor.type && integerOf(field) === float16)) return bytes;
  if (!fields.some(({ number }) => number === tensor.bytes))
    throw new ModelError(`The model's ${nameOf(bytes, tensor.name)} does not have its numbers as plain bytes.`);
  return edit(bytes, ({ number, value }) => {
    if (number === tensor.type) return integer(number, float32);
    return number === tensor.bytes ? embed(number, widenNumbers(value)) : same;
  });
}

let table: Float32Array | undefined;

/** By a lookup table: this also runs on Node 20 and 22, which have no typed array of 16-bit floats. The input is little-endian. */
export function widenNumbers(halves: Uint8Array): Uint8Array<ArrayBuffer> {
  table ??= Float32Array.from({ length: 65_536 }, (_, half) => widenNumber(half));
  const wide = new Float32Array(halves.length / 2);
  for (let i = 0; i < wide.length; i++) wide[i] = table[(halves[2 * i] ?? 0) | ((halves[2 * i + 1] ?? 0) << 8)] ?? 0;
  return new Uint8Array(wide.buffer);
}

/** IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
function widenNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** A field of a protobuf message. */
type Field = {
  number: number;
  /** The encoded field, with its tag. */
  whole: Uint8Array;
  /** The payload of a length-delimited field: text, bytes or a message. Empty for others. */
  value: Uint8Array;
};

function* fieldsOf(message: Uint8Array): Generator<Field> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, type] = reader.tag();
    const value = type === WireType.LengthDelimited ? reader.bytes() : new Uint8Array();
    if (type !== WireType.LengthDelimited) reader.skip(type, number);
    yield { number, whole: message.subarray(start, reader.pos), value };
  }
}

/** What an edit returns to keep a field or to drop it. */
const [same, gone] = ["same", "gone"] as const;

function edit(message: Uint8Array, change: (field: Field) => Uint8Array | typeof same | typeof gone): Uint8Array {
  const kept: Uint8Array[] = [];
  for (const field of fieldsOf(message)) {
    const changed = change(field);
    if (changed !== gone) kept.push(changed === same ? field.whole : changed);
  }
  return Buffer.concat(kept);
}

/** Does not use `BinaryWriter.bytes`, whose buffer grows by doubling: weights are large. */
const embed = (number: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(value.length).finish(), value]);
const integer = (number: number, value: number): Uint8Array =>
  new BinaryWriter().tag(number, WireType.Varint).int32(value).finish();

const textOf = ({ value }: Field): string => Buffer.from(value).toString("utf8");
const nameOf = (message: Uint8Array, wanted: number): string => {
  for (const field of fieldsOf(message)) if (field.number === wanted) return textOf(field);
  return "";
};

function integerOf({ whole }: Field): number {
  const reader = new BinaryReader(whole);
  reader.tag();
  return Number(reader.int64());
}
