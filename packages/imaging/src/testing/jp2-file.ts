import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { box, uint } from "../formats/heif/boxes.ts";

type Encoder = {
  getDecodedBuffer(frame: object): Uint8Array;
  setQuality(isReversible: boolean, compressionRatio: number): void;
  setDecompositions(levels: number): void;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
};
type OpenJpeg = { J2KEncoder: new () => Encoder };

type Picture = { width: number; height: number; channels: 1 | 3; data: Uint8Array };

/** A lossless JPEG 2000 codestream of grey or RGB pixels. */
export async function jp2Codestream({ width, height, channels, data }: Picture): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const create = require("@cornerstonejs/codec-openjpeg/wasmjs") as (options: object) => Promise<OpenJpeg>;
  const wasmBinary = await readFile(require.resolve("@cornerstonejs/codec-openjpeg/wasm"));
  const { J2KEncoder } = await create({ wasmBinary, print: () => {}, printErr: () => {} });
  const encoder = new J2KEncoder();
  const frame = { width, height, bitsPerSample: 8, componentCount: channels, isSigned: false };
  encoder.getDecodedBuffer(frame).set(data);
  encoder.setQuality(true, 0);
  encoder.setDecompositions(2);
  encoder.encode();
  return codestreamOf(encoder.getEncodedBuffer());
}

/** The codestream of a JP2, or the bytes themselves if they are one. */
function codestreamOf(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file);
  return bytes.subarray(bytes.indexOf(Buffer.of(0xff, 0x4f, 0xff, 0x51)));
}

/** EnumCS of ISO/IEC 15444-1, I.5.3.3. */
export const colourNumbers = { cmyk: 12, sRgb: 16, grey: 17, sYcc: 18 } as const;

type Container = {
  colours?: number | Uint8Array;
  /** Further boxes of the `jp2h` box. */
  header?: Uint8Array[];
  /** Boxes after the codestream. */
  boxes?: [type: string, body: Uint8Array][];
};

/** Wraps the codestream in a JP2 (ISO/IEC 15444-1, annex I). */
export function jp2Container(codestream: Buffer, { colours = 16, header = [], boxes = [] }: Container = {}): Buffer {
  const [width, height, components] = [
    codestream.readUInt32BE(8) - codestream.readUInt32BE(16),
    codestream.readUInt32BE(12) - codestream.readUInt32BE(20),
    codestream.readUInt16BE(40),
  ];
  const colr = typeof colours === "number" ? box("colr", [1, 0, 0], uint(4, colours)) : box("colr", [2, 0, 0], colours);
  return Buffer.concat([
    box("jP  ", Buffer.from("\r\n\x87\n", "latin1")),
    box("ftyp", Buffer.from("jp2 \0\0\0\0jp2 ", "latin1")),
    box(
      "jp2h",
      box("ihdr", uint(4, height), uint(4, width), uint(2, components), [255, 7, 0, 0]),
      box(
        "bpcc",
        [...Array(components).keys()].map((i) => codestream[42 + 3 * i] ?? 7),
      ),
      colr,
      ...header,
    ),
    box("jp2c", codestream),
    ...boxes.map(([type, body]) => box(type, body)),
  ]);
}

/** A channel definition box (I.5.3.6): channel number, type and association of each channel. */
export const channelDefinitions = (...channels: [channel: number, kind: number, place: number][]): Buffer =>
  box("cdef", uint(2, channels.length), ...channels.flat().map((value) => uint(2, value)));

export const jp2File = async (picture: Picture): Promise<Buffer> =>
  jp2Container(await jp2Codestream(picture), {
    colours: picture.channels === 1 ? colourNumbers.grey : colourNumbers.sRgb,
  });
