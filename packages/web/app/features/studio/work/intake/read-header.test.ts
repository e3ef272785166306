import { Buffer } from "node:buffer";
import sharp from "sharp";
import { expect, test } from "vitest";
import { isAnimatedPicture, looksLikeImage, readHeader } from "./read-header.ts";

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

/** EXIF with an orientation of 6, as SHORT (3) or LONG (4). */
const exifOf = (type: number) =>
  Buffer.from(["49492a0008000000010012010", type, "000100000006000000", "00000000"].join(""), "hex");
const app1 = (exif: Buffer) =>
  Buffer.concat([Buffer.of(0xff, 0xe1, 0, exif.length + 8), Buffer.from("Exif\0\0"), exif]);
const uprightExif = Buffer.from("49492a000800000001001201030001000000010000000000 0000".replace(" ", ""), "hex");

test.each([
  ["one EXIF block", [exifOf(3)], true],
  ["a first block that is upright", [uprightExif, exifOf(3)], false],
  ["an orientation of the type LONG", [exifOf(4)], false],
] as const)("a JPEG with %s is measured as Chromium shows it", async (_, blocks, isTurned) => {
  const bytes = await drawn().jpeg().toBuffer();
  const file = fileOf(Buffer.concat([bytes.subarray(0, 2), ...blocks.map(app1), bytes.subarray(2)]));
  const sides = isTurned ? { widthPx: 48, heightPx: 64 } : { widthPx: 64, heightPx: 48 };
  expect(await readHeader(file)).toEqual({ format: "jpeg", sides });
});

test("a PNG is measured as its orientation turns it, and a WebP as none does", async () => {
  const turned = drawn().withMetadata({ orientation: 6 });
  const [png, webp] = [await turned.clone().png().toBuffer(), await turned.clone().webp().toBuffer()];
  expect(await readHeader(fileOf(png))).toEqual({ format: "png", sides: { widthPx: 48, heightPx: 64 } });
  expect(await readHeader(fileOf(webp))).toEqual({ format: "webp", sides: { widthPx: 64, heightPx: 48 } });
});

/** An ISO/IEC 14496-12 box around 32-bit numbers or bytes. */
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
  // Item 1, a tile, has property 1; item 2, the whole image, has properties 2 and 3.
  const associations = box("ipma", 0, 2, Buffer.of(0, 1, 1, 1, 0, 2, 2, 2, 3 | 0x80));
  const meta = box("meta", 0, box("pitm", 0, Buffer.of(0, 2)), box("iprp", properties, associations));
  const bytes = Buffer.concat([box("ftyp", Buffer.from("heic"), 0), meta]);
  expect(await readHeader(fileOf(bytes))).toEqual({ format: "heic", sides });
});

test.each([
  [1, { widthPx: 64, heightPx: 48 }],
  [6, { widthPx: 48, heightPx: 64 }],
])("a JPEG 2000 with orientation %i is measured as it is shown", async (orientation, sides) => {
  const header = box("jp2h", box("ihdr", 48, 64, Buffer.of(0, 3, 7, 7, 0, 0)));
  // EXIF with one entry, beyond the bytes that are read first.
  const exif = Buffer.concat([
    Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01", "latin1"),
    Buffer.of(0, orientation, 0, 0, 0, 0, 0, 0),
  ]);
  const bytes = Buffer.concat([
    box("jP  ", 0x0d0a870a),
    box("ftyp", Buffer.from("jp2 \0\0\0\0jp2 ")),
    header,
    box("jp2c", Buffer.alloc(3_000_000)),
    box("uuid", Buffer.from("JpgTiffExif->JP2"), exif),
  ]);
  expect(await readHeader(fileOf(bytes))).toEqual({ format: "jp2", sides });
  expect(await readHeader(fileOf(bytes.subarray(0, bytes.length - 20)))).toMatchObject({ format: "jp2" });
});

test("a size behind a large profile is found in a second look", async () => {
  const bytes = await drawn().jpeg().toBuffer();
  const segment = Buffer.alloc(2 + 65_535);
  segment.writeUInt16BE(0xff_ee, 0);
  segment.writeUInt16BE(65_535, 2);
  const padded = Buffer.concat([bytes.subarray(0, 2), segment, segment, bytes.subarray(2)]);
  expect(await readHeader(fileOf(padded))).toEqual({ format: "jpeg", sides: { widthPx: 64, heightPx: 48 } });
});

test.each([
  ["HEIF with the brand miHE", Buffer.from("\0\0\0\x14ftypmiHE\0\0\0\0miHE", "latin1"), "heic"],
  [
    "an OS/2 bitmap array",
    Buffer.concat([
      Buffer.from("BA"),
      Buffer.alloc(12),
      Buffer.from("BM"),
      Buffer.alloc(12),
      Buffer.of(12, 0, 0, 0),
      Buffer.alloc(16),
    ]),
    "bmp",
  ],
  ["a drawing in UTF-16", Buffer.from('\ufeff<svg width="3" height="2"/>', "utf16le"), "svg"],
  ["a Photoshop file of version 2", Buffer.from("8BPS\0\x02"), "psd"],
  ["a Photoshop file of no known version", Buffer.from("8BPS\0\x03"), undefined],
  ["a cursor", Buffer.concat([Buffer.of(0, 0, 2, 0, 1, 0), Buffer.alloc(60, 1)]), undefined],
])("%s has the format that the server finds", async (_, bytes, format) => {
  expect((await readHeader(fileOf(bytes)))?.format).toBe(format);
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

test("a WebP and a PNG with several frames are told from still ones", async () => {
  const frames = Buffer.alloc(64 * 96 * 3).fill(200, 64 * 48 * 3);
  const moving = sharp(frames, { raw: { width: 64, height: 96, channels: 3, pageHeight: 48 } }).webp();
  expect(await readHeader(fileOf(await moving.toBuffer()))).toMatchObject({ format: "webp", isAnimated: true });
  const png = await drawn().png().toBuffer();
  // Two frames, infinite loop, and a checksum that is not read.
  const acTL = Buffer.concat([Buffer.of(0, 0, 0, 8), Buffer.from("acTL"), Buffer.of(0, 0, 0, 2), Buffer.alloc(8)]);
  const apng = Buffer.concat([png.subarray(0, 33), acTL, png.subarray(33)]);
  expect(await readHeader(fileOf(apng))).toMatchObject({ format: "png", isAnimated: true });
  for (const still of [await drawn().webp().toBuffer(), await drawn().ensureAlpha().webp().toBuffer(), png])
    expect((await readHeader(fileOf(still)))?.isAnimated).toBeUndefined();
  expect(await isAnimatedPicture(fileOf(await moving.toBuffer()), "webp")).toBe(true);
  expect(await isAnimatedPicture(fileOf(await drawn().webp().toBuffer()), "webp")).toBe(false);
});

const fileNamed = (name: string, type: string, content: BlobPart) => new File([content], name, { type });

test.each([
  ["by its type", fileNamed("x", "image/png", "a")],
  ["by its name", fileNamed("x.HEIC", "", "a")],
  ["by its first bytes", fileNamed("x", "", new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))],
  ["as a PNG by its first bytes", fileNamed("x", "", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ["as a HEIC by its brand", fileNamed("x", "", "\0\0\0\x18ftypheic")],
  ["as an SVG by its tag", fileNamed("x", "", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">')],
])("a picture is known %s", async (_, picture) => {
  expect(await looksLikeImage(picture)).toBe(true);
});

test.each([
  ["notes", fileNamed("notes.txt", "text/plain", "GIF89a")],
  ["an archive without a type", fileNamed("x", "", "PK\x03\x04")],
  ["an empty file", fileNamed("x.png", "image/png", "")],
])("%s is kept out", async (_, other) => {
  expect(await looksLikeImage(other)).toBe(false);
});
