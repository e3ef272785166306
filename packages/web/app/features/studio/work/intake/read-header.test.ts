import { Buffer } from "node:buffer";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readHeader } from "./read-header.ts";

const drawn = () => sharp({ create: { width: 64, height: 48, channels: 3, background: "#a35" } });
const fileOf = (bytes: Buffer) => new File([new Uint8Array(bytes)], "picture");

test.each(["jpeg", "png", "webp", "gif", "tiff", "avif"] as const)(
  "a header of %s tells format and size",
  async (format) => {
    const bytes = await drawn().toFormat(format).toBuffer();
    expect(await readHeader(fileOf(bytes))).toEqual({ format, sides: { widthPx: 64, heightPx: 48 } });
  },
);

test("an icon is as large as its largest picture", async () => {
  const directory = [16, 64, 32].flatMap((side) => [side, side, 0, 0, 1, 0, 32, 0, 40, 0, 0, 0, 54, 0, 0, 0]);
  const bytes = Buffer.from([0, 0, 1, 0, 3, 0, ...directory, ...Array(40).fill(0)]);
  expect(await readHeader(fileOf(bytes))).toEqual({ format: "ico", sides: { widthPx: 64, heightPx: 64 } });
});

test("a photograph that lies on its side is measured as it is shown", async () => {
  const bytes = await drawn().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await readHeader(fileOf(bytes))).toEqual({ format: "jpeg", sides: { widthPx: 48, heightPx: 64 } });
});

/** A box of ISO/IEC 14496-12 around numbers of 32 bits, or bytes. */
function box(type: string, ...content: (number | Buffer)[]): Buffer {
  const parts = content.map((part) => {
    if (typeof part !== "number") return part;
    const word = Buffer.alloc(4);
    word.writeUInt32BE(part);
    return word;
  });
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + Buffer.concat(parts).length);
  return Buffer.concat([size, Buffer.from(type), ...parts]);
}

test.each([
  [0, { widthPx: 64, heightPx: 32 }],
  [1, { widthPx: 32, heightPx: 64 }],
  [2, { widthPx: 64, heightPx: 32 }],
  [3, { widthPx: 32, heightPx: 64 }],
])("a HEIC of tiles that is turned by %i quarters is measured as it is shown", async (turns, sides) => {
  const properties = box("ipco", box("ispe", 0, 16, 16), box("ispe", 0, 64, 32), box("irot", Buffer.of(turns)));
  // Of item 1, a tile, the first property; of item 2, the picture, the second and the third.
  const associations = box("ipma", 0, 2, Buffer.of(0, 1, 1, 1, 0, 2, 2, 2, 3 | 0x80));
  const meta = box("meta", 0, box("pitm", 0, Buffer.of(0, 2)), box("iprp", properties, associations));
  const bytes = Buffer.concat([box("ftyp", Buffer.from("heic"), 0), meta]);
  expect(await readHeader(fileOf(bytes))).toEqual({ format: "heic", sides });
});

test("a size behind a large profile is found in a second look", async () => {
  const bytes = await drawn().jpeg().toBuffer();
  const segment = Buffer.alloc(2 + 65_535);
  segment.writeUInt16BE(0xff_ee, 0);
  segment.writeUInt16BE(65_535, 2);
  const padded = Buffer.concat([bytes.subarray(0, 2), segment, segment, bytes.subarray(2)]);
  expect(await readHeader(fileOf(padded))).toEqual({ format: "jpeg", sides: { widthPx: 64, heightPx: 48 } });
});

test("comments without a drawing behind them are read in time", async () => {
  expect(await readHeader(new File(["<!-- -->".repeat(60)], "a.svg"))).toBeUndefined();
});

test("a drawing has the size that it names", async () => {
  const drawing = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"></svg>';
  expect(await readHeader(new File([drawing], "a.svg"))).toEqual({
    format: "svg",
    sides: { widthPx: 300, heightPx: 200 },
  });
});

test.each([
  ["text", "This is a letter, whatever its name says."],
  ["an archive", "PK\x03\x04 and more"],
  ["a word that begins as a bitmap does", "BMW is a car and not a picture of one"],
])("%s names no format: the server is asked", async (_, content) => {
  expect(await readHeader(new File([content], "a.png"))).toBeUndefined();
});

test("a picture whose header is cut off has its format and no size", async () => {
  const bytes = await drawn().png().toBuffer();
  expect(await readHeader(fileOf(bytes.subarray(0, 12)))).toEqual({ format: "png", sides: undefined });
});
