import { readGif } from "@tintype/codecs/gif";
import { DomainError, type InputFormat, inputFormats } from "@tintype/contract";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { bmpFile } from "../../../codecs/src/testing/bmp-file.ts";
import { heicFile } from "../testing/heic-file.ts";
import { box } from "./heif/boxes.ts";
import { stripMetadata } from "./strip-metadata.ts";

const place = {
  GPSLatitudeRef: "N",
  GPSLatitude: "51/1 30/1 3230/100",
  GPSLongitudeRef: "W",
  GPSLongitude: "0/1 7/1 4366/100",
};
const exif = { IFD0: { Copyright: "A-SECRET-NAME", Make: "A-SECRET-CAMERA" }, IFD3: place };
const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>A-SECRET-PLACE</rdf:RDF></x:xmpmeta>';

/** What remains of an XMP packet in a file whose offsets must not change. */
const emptyXmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';

/** 51/1 30/1 as EXIF rationals, in both byte orders. */
const latitudes = ["3300000001000000 1e00000001000000", "0000003300000001 0000001e00000001"].map((hex) =>
  Buffer.from(hex.replace(" ", ""), "hex"),
);
const secretsIn = (bytes: Uint8Array) => {
  const all = Buffer.from(bytes);
  const names = ["A-SECRET-NAME", "A-SECRET-CAMERA", "A-SECRET-PLACE"].filter((name) => all.includes(name));
  return latitudes.some((place) => all.includes(place)) ? [...names, "the place"] : names;
};

const picture = () => {
  const data = Uint8Array.from({ length: 40 * 24 * 3 }, (_, i) => (i * 7) % 251);
  return sharp(data, { raw: { width: 40, height: 24, channels: 3 } });
};
const withSecrets = (image: Sharp) => image.withIccProfile("p3").withExif(exif).withXmp(xmp);
const pixels = (bytes: Uint8Array) => sharp(bytes, { animated: true, failOn: "warning" }).raw().toBuffer();

test.each([
  ["jpeg", () => withSecrets(picture()).jpeg().toBuffer()],
  ["jpeg", () => withSecrets(picture()).jpeg({ progressive: true }).toBuffer()],
  ["png", () => withSecrets(picture()).png().toBuffer()],
  ["webp", () => withSecrets(picture()).webp().toBuffer()],
  ["webp", () => withSecrets(picture()).webp({ lossless: true }).toBuffer()],
  ["tiff", () => withSecrets(picture()).tiff({ compression: "lzw" }).toBuffer()],
  ["tiff", () => withSecrets(picture()).tiff({ compression: "jpeg", tile: true }).toBuffer()],
  ["tiff", () => withSecrets(picture()).tiff({ compression: "deflate", bigtiff: true }).toBuffer()],
  ["avif", () => withSecrets(picture()).avif({ effort: 1 }).toBuffer()],
] as [InputFormat, () => Promise<Buffer>][])(
  "a %s loses place, names and texts, and no pixel nor its profile",
  async (format, make) => {
    const bytes = await make();
    expect(secretsIn(bytes)).toContain(format === "tiff" ? "A-SECRET-PLACE" : "the place"); // libvips writes no EXIF to TIFF
    const stripped = stripMetadata(bytes, format);
    expect(secretsIn(stripped.bytes)).toEqual([]);
    expect(await pixels(stripped.bytes)).toEqual(await pixels(bytes));
    const [before, after] = [await sharp(bytes).metadata(), await sharp(stripped.bytes).metadata()];
    expect(after.icc).toEqual(before.icc);
    expect(after.xmp?.toString().trim() ?? emptyXmp).toBe(emptyXmp);
    expect(stripped.bytes.length).toBeLessThanOrEqual(bytes.length);
  },
);

test.each(["jpeg", "png", "tiff"] as const)(
  "a %s that is to be turned still says so, and nothing else",
  async (format) => {
    const bytes = await picture().withExif(exif).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
    const stripped = stripMetadata(bytes, format).bytes;
    expect((await sharp(stripped).metadata()).orientation).toBe(6);
    expect(secretsIn(stripped)).toEqual([]);
    const upright = await sharp(stripped).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect([upright.info.width, upright.info.height]).toEqual([24, 40]);
  },
);

test("a JPEG loses comments, thumbnails and whatever follows it, and keeps Adobe's marker", async () => {
  const cmyk = await picture().toColourspace("cmyk").jpeg().toBuffer();
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 15]), Buffer.from("A-SECRET-NAME")]);
  const thumbnail = Buffer.concat([
    Buffer.from([0xff, 0xe0, 0, 27]),
    Buffer.from("JFIF\0\x01\x02\0\0\x01\0\x01\x02\x02"),
    Buffer.alloc(12, 7),
  ]);
  const trailer = Buffer.concat([await withSecrets(picture()).jpeg().toBuffer(), Buffer.alloc(100)]);
  const bytes = Buffer.concat([cmyk.subarray(0, 2), thumbnail.subarray(0, 29), comment, cmyk.subarray(2), trailer]);
  const { bytes: stripped } = stripMetadata(bytes, "jpeg");
  expect(secretsIn(stripped)).toEqual([]);
  expect(Buffer.from(stripped).includes(Buffer.alloc(12, 7))).toBe(false);
  expect(Buffer.from(stripped).includes("Adobe")).toBe(true);
  expect(await pixels(stripped)).toEqual(await pixels(cmyk));
});

test("a GIF loses comments and XMP, and keeps moving as it did", async () => {
  const frames = [picture(), picture().negate()].map((image) => image.png().toBuffer());
  const gif = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ loop: 3, delay: [70, 90] })
    .toBuffer();
  const after = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 13]), Buffer.from("A-SECRET-NAME"), Buffer.from([0])]);
  const magic = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);
  const application = Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from(`XMP DataXMP${xmp}`), magic]);
  const secret = (label: number) =>
    Buffer.concat([Buffer.from([0x21, label, 13]), Buffer.from("A-SECRET-NAME"), Buffer.from([0])]);
  const program = Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from("SOMEPROG1.0"), secret(0).subarray(2)]);
  // The graphic control extension of a text does not apply to the frame after it.
  const text = Buffer.concat([Buffer.from([0x21, 0xf9, 4, 0, 200, 0, 0, 0]), secret(0x01)]);
  const bytes = Buffer.concat([
    gif.subarray(0, after),
    comment,
    application,
    program,
    secret(0x77),
    text,
    gif.subarray(after),
    Buffer.from("A-SECRET-PLACE"),
  ]);
  expect(await pixels(bytes)).toEqual(await pixels(gif));
  const stripped = stripMetadata(bytes, "gif").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  expect(await pixels(stripped)).toEqual(await pixels(gif));
  expect(await sharp(stripped).metadata()).toMatchObject({ pages: 2, loop: 3, delay: [70, 90] });
});

test("a moving WebP keeps moving as it did", async () => {
  const frames = [picture(), picture().negate()].map((image) => image.png().toBuffer());
  const webp = await withSecrets(sharp(await Promise.all(frames), { join: { animated: true } }))
    .webp({ loop: 3, delay: [70, 90] })
    .toBuffer();
  const stripped = stripMetadata(webp, "webp").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  expect(await pixels(stripped)).toEqual(await pixels(webp));
  const facts = await sharp(stripped).metadata();
  expect(facts).toMatchObject({ pages: 2, loop: 3, delay: [70, 90] });
  expect([facts.exif, facts.xmp]).toEqual([undefined, undefined]);
});

test("a HEIC loses EXIF and XMP, and nothing in it moves", async () => {
  const source = await sharp(await withSecrets(picture()).jpeg().toBuffer()).metadata();
  const block = source.exif?.subarray(6) ?? Buffer.alloc(0);
  const bytes = heicFile({ exif: block, xmp, codes: [12, 13, 6] });
  expect(secretsIn(bytes)).toContain("the place");
  const stripped = stripMetadata(bytes, "heic").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  const clean = heicFile({ exif: Buffer.alloc(block.length), xmp: "\0".repeat(xmp.length), codes: [12, 13, 6] });
  const changed = [...stripped.keys()].filter((i) => stripped[i] !== clean[i]);
  expect(changed.length).toBeLessThanOrEqual(xmp.length + 18); // all changes are in the EXIF and XMP items
});

test("a film beside a picture loses what its user data say", () => {
  const film = box("moov", box("mvhd", Buffer.alloc(8)), box("udta", Buffer.from("A-SECRET-PLACE")));
  const bytes = Buffer.concat([
    heicFile(),
    film,
    box("uuid", Buffer.from("A-SECRET-NAME")),
    Buffer.from("A-SECRET-CAMERA"),
  ]);
  const stripped = stripMetadata(bytes, "heic").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  expect(Buffer.from(stripped).includes("mvhd")).toBe(true);
});

test("a TIFF loses its directories of EXIF and of the place", async () => {
  const tiff = await picture().tiff({ compression: "lzw" }).toBuffer();
  const first = tiff.readUInt32LE(4);
  const count = tiff.readUInt16LE(first);
  const entry = (tag: number, type: number, length: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(length, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const one = (entryBytes: Buffer) => Buffer.concat([Buffer.from([1, 0]), entryBytes, Buffer.alloc(4)]);
  const [latitude = Buffer.alloc(0)] = latitudes;
  // After the file: a latitude, its IFD, a maker note, its IFD, and the first IFD with both.
  const gps = tiff.length + latitude.length;
  const note = gps + 18;
  const directory = note + 16 + 18;
  const entries = tiff.subarray(first + 2, first + 2 + count * 12);
  const bytes = Buffer.concat([
    tiff,
    latitude,
    one(entry(2, 5, 2, tiff.length)),
    Buffer.from("A-SECRET-CAMERA "),
    one(entry(37500, 7, 16, note)),
    Buffer.from([count + 2, 0]),
    entries,
    entry(34665, 4, 1, note + 16),
    entry(34853, 4, 1, gps),
    Buffer.alloc(4),
  ]);
  bytes.writeUInt32LE(directory, 4);
  expect(secretsIn(bytes)).toEqual(["A-SECRET-CAMERA", "the place"]);
  const stripped = stripMetadata(bytes, "tiff").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  expect(await pixels(stripped)).toEqual(await pixels(tiff));
});

test("a TIFF loses the metadata of every page, and what lies in private tags", async () => {
  const tiff = await withSecrets(picture()).tiff({ compression: "lzw" }).toBuffer();
  const view = new DataView(tiff.buffer, tiff.byteOffset);
  const first = view.getUint32(4, true);
  // A second page: a copy of the same IFD at the end of the file.
  const count = view.getUint16(first, true);
  const table = Buffer.from(tiff.subarray(first, first + 2 + count * 12 + 4));
  const bytes = Buffer.concat([tiff, table]);
  bytes.writeUInt32LE(tiff.length, first + 2 + count * 12);
  expect((await sharp(bytes).metadata()).pages).toBe(2);
  const stripped = stripMetadata(bytes, "tiff").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  expect((await sharp(stripped).metadata()).pages).toBe(2);
  expect(await sharp(stripped, { page: 1 }).raw().toBuffer()).toEqual(await pixels(tiff));
});

test("a BMP loses the path of a linked profile, and is as it was otherwise", async () => {
  const path = Buffer.from("C:\\A-SECRET-NAME");
  const bytes = bmpFile({ width: 1, height: 1, bits: 24, headerSize: 124, body: [1, 2, 3, 0], profile: path });
  new DataView(bytes.buffer).setUint32(70, 0x4c494e4b, true);
  expect(secretsIn(stripMetadata(bytes, "bmp").bytes)).toEqual([]);
  const plain = bmpFile({ width: 1, height: 1, bits: 24, body: [1, 2, 3, 0] });
  expect(stripMetadata(plain, "bmp").bytes).toEqual(plain);
});

test("an SVG loses comments, metadata and programs' notes, and the photograph in it loses its own", async () => {
  const photo = (await withSecrets(picture()).jpeg().toBuffer()).toString("base64");
  const svg = `<?xml version="1.0"?><!-- A-SECRET-NAME --><svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"
    xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:export-filename="/home/A-SECRET-NAME/x.png">
    <metadata>A-SECRET-PLACE</metadata><image width="40" height="24" href="data:image/jpeg;base64,${photo}"/></svg>`;
  const stripped = stripMetadata(Buffer.from(svg), "svg").bytes;
  expect(secretsIn(stripped)).toEqual([]);
  const [, inside = ""] = /base64,([^"]*)/.exec(Buffer.from(stripped).toString()) ?? [];
  expect(secretsIn(Buffer.from(inside, "base64"))).toEqual([]);
  expect(await pixels(stripped)).toEqual(await pixels(Buffer.from(svg)));
});

test("a GIF keeps the frames behind zero bytes between its blocks", async () => {
  const frames = [picture(), picture().negate()].map((image) => image.png().toBuffer());
  const gif = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ loop: 3, delay: [70, 90] })
    .toBuffer();
  const second = readGif(gif).frames[0]?.endOffset ?? 0;
  const bytes = Buffer.concat([gif.subarray(0, second), Buffer.alloc(2), gif.subarray(second)]);
  const stripped = stripMetadata(bytes, "gif").bytes;
  expect(await sharp(stripped).metadata()).toMatchObject({ pages: 2, loop: 3, delay: [70, 90] });
  expect(await pixels(stripped)).toEqual(await pixels(gif));
});

describe("a photograph in a drawing loses its metadata", () => {
  const escapedPadding = (packed: string) => packed.replaceAll("=", "%3D");
  const drawingOf = (address: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><image width="40" height="24" href="${address}"/></svg>`;

  test.each([
    ["with its base64 percent-encoded", "image/jpeg;base64", encodeURIComponent],
    ["with only the padding percent-encoded", "image/jpeg;base64", escapedPadding],
    ["as image/jp2", "image/jp2;base64", String],
    ["as image/x-png2", "image/x-png2;base64", String],
    ["without a media type", ";base64", String],
    ["as application/octet-stream", "application/octet-stream;base64", String],
  ])("%s", async (_, type, encode) => {
    let photo = await withSecrets(picture()).jpeg().toBuffer();
    // Force base64 padding. Bytes after the end of a JPEG are ignored.
    while (photo.length % 3 === 0) photo = Buffer.concat([photo, Buffer.alloc(1)]);
    const svg = drawingOf(`data:${type},${encode(photo.toString("base64"))}`);
    const stripped = Buffer.from(stripMetadata(Buffer.from(svg), "svg").bytes);
    const [, inside = ""] = /base64,([^"]*)/.exec(stripped.toString()) ?? [];
    const bytes = Buffer.from(decodeURIComponent(inside), "base64");
    expect(secretsIn(bytes)).toEqual([]);
    expect(await pixels(bytes)).toEqual(await pixels(photo));
    expect(await pixels(stripped)).toEqual(await pixels(Buffer.from(svg)));
  });
});

describe("a drawing in a drawing loses its metadata too", () => {
  const space = 'xmlns="http://www.w3.org/2000/svg"';
  const inner = `<svg ${space} width="20" height="12"><!-- A-SECRET-NAME --><metadata>A-SECRET-PLACE é</metadata><rect width="9" height="12" fill="#c41"/></svg>`;
  const within = (address: string, attributes = "") =>
    `<svg ${space} width="40" height="24" ${attributes}><image width="40" height="24" href="${address}"/></svg>`;
  const base64 = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString("base64")}`;
  const escaped = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "'");
  const decodedOnce = (text: string) =>
    decodeURIComponent(text).replaceAll(/base64,([\w+/=]+)/g, (_, data: string) =>
      Buffer.from(data, "base64").toString(),
    );
  /** The text with all embedded drawings decoded. */
  function readable(text: string): string {
    const decoded = decodedOnce(text);
    return decoded === text ? text : readable(decoded);
  }

  test.each([
    ["in base64", within(base64(inner))],
    ["in base64 with a charset", within(base64(inner).replace(";base64", ";charset=utf-8;base64"))],
    ["percent-encoded", within(`data:image/svg+xml,${encodeURIComponent(inner)}`)],
    ["with the quotes of its own", within(`data:image/svg+xml;utf8,${escaped(inner).replaceAll("#", "%23")}`)],
    ["in one in another", within(base64(within(`data:image/svg+xml,${encodeURIComponent(within(base64(inner)))}`)))],
    ["behind a blank", within(` data:image/svg+xml,${encodeURIComponent(inner)}`)],
    [
      "in a style, behind a line break",
      `<svg ${space} width="40" height="24"><style>path{mask:url(\ndata:image/svg+xml,${encodeURIComponent(inner).replaceAll(/[()]/g, "")})}</style><path d="M0 0h9v9z"/></svg>`,
    ],
    ["with a fragment", within(`data:image/svg+xml,${encodeURIComponent(inner)}#f`)],
    [
      "in a style",
      `<svg ${space} width="40" height="24" style="mask:url('${base64(inner)}')"><path d="M0 0h9v9z"/></svg>`,
    ],
    [
      "in a style, without base64",
      `<svg ${space} width="40" height="24" style="mask:url(data:image/svg+xml,${encodeURIComponent(inner).replaceAll(/[()]/g, "")})"><path d="M0 0h9v9z"/></svg>`,
    ],
  ])("%s", async (_, svg) => {
    expect(secretsIn(Buffer.from(readable(svg)))).not.toEqual([]);
    const stripped = Buffer.from(stripMetadata(Buffer.from(svg), "svg").bytes);
    expect(readable(stripped.toString())).toContain("data:image/svg+xml");
    expect(secretsIn(Buffer.from(readable(stripped.toString())))).toEqual([]);
    expect(await pixels(stripped)).toEqual(await pixels(Buffer.from(svg)));
    expect(Buffer.compare(stripMetadata(stripped, "svg").bytes, stripped)).toBe(0);
  });

  test("its fragment stays, and one without metadata stays as it is", () => {
    const clean = "data:image/svg+xml,%3csvg xmlns=%22http://www.w3.org/2000/svg%22/%3e#f";
    const text = (address: string) => Buffer.from(stripMetadata(Buffer.from(within(address)), "svg").bytes).toString();
    expect(text(clean)).toContain(clean);
    expect(text(`data:image/svg+xml,${encodeURIComponent(inner)}#f`)).toMatch(/%3C\/svg%3E#f"/);
  });

  test("quotes that are never closed are read in time", () => {
    /** Processor time, the least of five runs: other programs do not count. */
    const timeOf = (count: number) => {
      const svg = Buffer.from(`<svg ${space}><text>${"(data:image/svg+xml,".repeat(count)}</text></svg>`);
      const runs = Array.from({ length: 5 }, () => {
        const started = process.cpuUsage();
        stripMetadata(svg, "svg");
        const { user, system } = process.cpuUsage(started);
        return user + system;
      });
      return Math.min(...runs);
    };
    timeOf(10_000); // warm-up: the JIT has compiled
    expect(timeOf(160_000) / timeOf(20_000)).toBeLessThan(24);
  });

  // Attack: hundreds of nested drawings, each of which would be parsed.
  test.each([
    [4, []],
    [5, ["A-SECRET-NAME", "A-SECRET-PLACE"]],
  ])("in %i others, of which five are parsed", (count, found) => {
    let svg = inner;
    for (let i = 0; i < count; i++) svg = within(base64(svg));
    const stripped = Buffer.from(stripMetadata(Buffer.from(svg), "svg").bytes);
    expect(secretsIn(Buffer.from(readable(stripped.toString())))).toEqual(found);
  });
});

test("no bytes make it fail in another way than by a refusal, and it writes to none of them", async () => {
  const made = await Promise.all(
    (["jpeg", "png", "webp", "tiff", "avif", "gif"] as const).map((format) =>
      withSecrets(picture()).toFormat(format).toBuffer(),
    ),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .tuple(fc.constantFrom(...made), fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }))
      .map(([whole, cut, changes]) => {
        const copy = Buffer.from(whole.subarray(0, 1 + (cut % whole.length)));
        for (const [at, value] of changes) copy[at % Math.min(copy.length, 600)] = value;
        return copy;
      }),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(...inputFormats), (damaged, format) => {
      const before = Buffer.from(damaged);
      try {
        expect(stripMetadata(damaged, format).bytes.length).toBeLessThan(damaged.length + 200);
      } catch (problem) {
        if (!(problem instanceof DomainError)) throw problem;
      }
      expect(before.equals(damaged)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
