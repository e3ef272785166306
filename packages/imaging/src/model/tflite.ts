import { ModelError } from "./model-error.ts";

/** A tensor of a TensorFlow Lite model; `data` is there for constants alone. */
export type TfliteTensor = { shape: number[]; type: TensorType; data: Uint8Array | undefined };

/** A step of the model. Inputs and outputs are places in `tensors`; -1 stands for an input that is left out. */
export type TfliteStep = {
  operator: string;
  inputs: number[];
  outputs: number[];
  /** The options' fields by number, as whole numbers: `option(field, bytes)`; a field that is left out is `otherwise`. */
  option(field: number, kind: "int8" | "int32", otherwise?: number): number;
  /** Options of an operator that the format does not know. */
  custom: Uint8Array;
};

type TfliteModel = { tensors: TfliteTensor[]; steps: TfliteStep[]; inputs: number[]; outputs: number[] };

const tensorTypes = ["float32", "float16", "int32"] as const;
type TensorType = (typeof tensorTypes)[number] | "other";

/** Numbers of BuiltinOperator in TensorFlow Lite's schema, those that a small convolutional network uses. */
const operators: Readonly<Record<number, string>> = {
  0: "ADD",
  1: "AVERAGE_POOL_2D",
  3: "CONV_2D",
  4: "DEPTHWISE_CONV_2D",
  6: "DEQUANTIZE",
  14: "LOGISTIC",
  18: "MUL",
  19: "RELU",
  23: "RESIZE_BILINEAR",
  32: "CUSTOM",
  40: "MEAN",
  117: "HARD_SWISH",
};

/** Fields by their numbers in TensorFlow Lite's schema (schema.fbs, version 3). */
const fields = {
  model: { operatorCodes: 1, subgraphs: 2, buffers: 4 },
  code: { oldNumber: 0, customName: 1, number: 3 },
  buffer: { data: 0 },
  subgraph: { tensors: 0, inputs: 1, outputs: 2, operators: 3 },
  tensor: { shape: 0, type: 1, buffer: 2 },
  step: { code: 0, inputs: 1, outputs: 2, options: 4, custom: 5 },
} as const;

/**
 * Reads a TensorFlow Lite model: its first graph, with the bytes of its constants.
 * @throws ModelError when the file is none
 */
export function readTflite(file: Uint8Array): TfliteModel {
  if (Buffer.from(file.subarray(4, 8)).toString("latin1") !== "TFL3")
    throw new ModelError("The file is no TensorFlow Lite model.");
  try {
    return readModel(openFlatbuffer(file));
  } catch (cause) {
    throw cause instanceof RangeError ? new ModelError("The TensorFlow Lite model is damaged.", { cause }) : cause;
  }
}

function readModel(buffer: Flatbuffer): TfliteModel {
  const root = buffer.root;
  const names = buffer.tables(root, fields.model.operatorCodes).map((code) => {
    // Numbers above 126 stand in the newer field alone.
    const number = Math.max(buffer.int8(code, fields.code.oldNumber, 0), buffer.int32(code, fields.code.number, 0));
    const name = operators[number] ?? `operator ${number}`;
    return name === "CUSTOM" ? `CUSTOM ${Buffer.from(buffer.bytes(code, fields.code.customName)).toString()}` : name;
  });
  const constants = buffer.tables(root, fields.model.buffers).map((one) => buffer.bytes(one, fields.buffer.data));
  const [graph] = buffer.tables(root, fields.model.subgraphs);
  if (graph === undefined) throw new ModelError("The TensorFlow Lite model has no graph.");
  return {
    inputs: buffer.integers(graph, fields.subgraph.inputs),
    outputs: buffer.integers(graph, fields.subgraph.outputs),
    tensors: buffer.tables(graph, fields.subgraph.tensors).map((tensor) => {
      const data = constants[buffer.int32(tensor, fields.tensor.buffer, 0)];
      return {
        shape: buffer.integers(tensor, fields.tensor.shape),
        type: tensorTypes[buffer.int8(tensor, fields.tensor.type, 0)] ?? "other",
        data: data && data.length > 0 ? data : undefined,
      };
    }),
    steps: buffer.tables(graph, fields.subgraph.operators).map((step) => {
      const options = buffer.table(step, fields.step.options);
      return {
        operator: names[buffer.int32(step, fields.step.code, 0)] ?? "no operator",
        inputs: buffer.integers(step, fields.step.inputs),
        outputs: buffer.integers(step, fields.step.outputs),
        option: (field, kind, otherwise = 0) =>
          options === undefined ? otherwise : buffer[kind](options, field, otherwise),
        custom: buffer.bytes(step, fields.step.custom),
      };
    }),
  };
}

type Flatbuffer = ReturnType<typeof openFlatbuffer>;

/**
 * Tables of a flatbuffer by their place in the file. A table points back to the offsets of its fields; a field that
 * is left out has no offset, and its reader answers `otherwise`, or with nothing.
 */
function openFlatbuffer(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const follow = (place: number) => place + view.getUint32(place, true);
  const placeOf = (table: number, field: number): number | undefined => {
    const offsets = table - view.getInt32(table, true);
    const at = 4 + 2 * field;
    const offset = at < view.getUint16(offsets, true) ? view.getUint16(offsets + at, true) : 0;
    return offset === 0 ? undefined : table + offset;
  };
  const vector = (table: number, field: number): { start: number; length: number } => {
    const place = placeOf(table, field);
    if (place === undefined) return { start: 0, length: 0 };
    const start = follow(place);
    return { start: start + 4, length: view.getUint32(start, true) };
  };
  const list = <T>({ start, length }: { start: number; length: number }, read: (place: number) => T): T[] => {
    if (length > file.length) throw new RangeError("a list is longer than the file");
    return Array.from({ length }, (_, i) => read(start + 4 * i));
  };
  return {
    root: follow(0),
    table(table: number, field: number): number | undefined {
      const place = placeOf(table, field);
      return place === undefined ? undefined : follow(place);
    },
    tables: (table: number, field: number): number[] => list(vector(table, field), follow),
    integers: (table: number, field: number): number[] =>
      list(vector(table, field), (place) => view.getInt32(place, true)),
    bytes(table: number, field: number): Uint8Array {
      const { start, length } = vector(table, field);
      if (start + length > file.length) throw new RangeError("bytes end behind the file");
      return file.subarray(start, start + length);
    },
    int8(table: number, field: number, otherwise: number): number {
      const place = placeOf(table, field);
      return place === undefined ? otherwise : view.getInt8(place);
    },
    int32(table: number, field: number, otherwise: number): number {
      const place = placeOf(table, field);
      return place === undefined ? otherwise : view.getInt32(place, true);
    },
  };
}
