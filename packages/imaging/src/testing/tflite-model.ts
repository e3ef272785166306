/** Values of a table's fields, by field number: numbers are stored in place, all else behind the table. */
type Value = { int8: number } | { int32: number } | { behind: Writing } | undefined;
/** Writes something at the end of the file and answers its place. */
type Writing = (file: FlatFile) => number;

/** A flatbuffer that grows: what a table points to comes behind it, at places that divide by four. */
type FlatFile = { bytes: Buffer; add(content: Buffer): number };

function newFile(): FlatFile {
  const file: FlatFile = {
    bytes: Buffer.alloc(0),
    add(content) {
      const place = file.bytes.length;
      const padding = Buffer.alloc((4 - (content.length % 4)) % 4);
      file.bytes = Buffer.concat([file.bytes, content, padding]);
      return place;
    },
  };
  return file;
}

const int32s = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);

const table =
  (...fields: Value[]): Writing =>
  (file) => {
    const offsets = Buffer.alloc(4 + 2 * fields.length);
    offsets.writeUInt16LE(offsets.length, 0);
    offsets.writeUInt16LE(4 + 4 * fields.length, 2);
    for (const [i, field] of fields.entries()) offsets.writeUInt16LE(field ? 4 + 4 * i : 0, 4 + 2 * i);
    const before = file.add(offsets);
    const place = file.add(Buffer.alloc(4 + 4 * fields.length));
    file.bytes.writeInt32LE(place - before, place);
    for (const [i, field] of fields.entries()) {
      const at = place + 4 + 4 * i;
      if (!field) continue;
      if ("int8" in field) file.bytes.writeInt8(field.int8, at);
      else if ("int32" in field) file.bytes.writeInt32LE(field.int32, at);
      else {
        const behind = field.behind(file);
        file.bytes.writeUInt32LE(behind - at, at);
      }
    }
    return place;
  };

const numbers =
  (...values: number[]): Writing =>
  (file) =>
    file.add(int32s(values.length, ...values));
const bytes =
  (content: Uint8Array): Writing =>
  (file) =>
    file.add(Buffer.concat([int32s(content.length), content]));
const tables =
  (...all: Writing[]): Writing =>
  (file) => {
    const place = file.add(int32s(all.length, ...all.map(() => 0)));
    for (const [i, one] of all.entries()) {
      const at = place + 4 + 4 * i;
      const behind = one(file);
      file.bytes.writeUInt32LE(behind - at, at);
    }
    return place;
  };

/** Halves of the two channels' weights, 2 x 2 pixels of three colours each. */
type ConvolutionModel = { weights: Uint8Array; bias: Uint8Array; operators?: readonly number[] };

/**
 * A TensorFlow Lite model of three steps on a picture of 3 x 3 pixels: it unpacks weights of 16 bits, convolves by 2 x 2 pixels
 * in steps of two with "SAME" padding and RELU6, and answers with the logistic function, [1, 2, 2, 2].
 * @param operators the numbers of the three steps' operators
 */
export function convolutionTflite({ weights, bias, operators = [6, 3, 14] }: ConvolutionModel): Uint8Array {
  const tensor = (shape: number[], type: number, buffer: number) =>
    table({ behind: numbers(...shape) }, { int8: type }, { int32: buffer });
  const [float32, float16] = [0, 1];
  const step = (code: number, [inputs, output]: [number[], number], options?: Writing) =>
    table(
      { int32: code },
      { behind: numbers(...inputs) },
      { behind: numbers(output) },
      undefined,
      options && { behind: options },
    );
  const graph = table(
    {
      behind: tables(
        tensor([1, 3, 3, 3], float32, 0),
        tensor([2, 2, 2, 3], float16, 1),
        tensor([2, 2, 2, 3], float32, 0),
        tensor([2], float32, 2),
        tensor([1, 2, 2, 2], float32, 0),
        tensor([1, 2, 2, 2], float32, 0),
      ),
    },
    { behind: numbers(0) },
    { behind: numbers(5) },
    {
      behind: tables(
        step(0, [[1], 2]),
        step(1, [[0, 2, 3], 4], table(undefined, { int32: 2 }, { int32: 2 }, { int8: 3 })),
        step(2, [[4], 5]),
      ),
    },
  );
  const buffers = tables(table(), table({ behind: bytes(weights) }), table({ behind: bytes(bias) }));
  const codes = tables(...operators.map((number) => table({ int8: number })));
  const file = newFile();
  file.add(Buffer.from("\0\0\0\0TFL3", "latin1"));
  const root = table({ int32: 3 }, { behind: codes }, { behind: tables(graph) }, undefined, { behind: buffers })(file);
  file.bytes.writeUInt32LE(root, 0);
  return file.bytes;
}
