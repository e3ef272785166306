import { decodeBmp, encodeBmpSamples } from "@tintype/codecs/bmp";
import { sniffFormat } from "@tintype/codecs/headers";
import type { Raster } from "@tintype/codecs/raster";
import { DomainError, type InputFormat, inputFormats } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { draw, drawLogo, drawPhoto, drawScreen } from "../../../codecs/src/testing/drawn-pictures.ts";
import { iconFile } from "../../../codecs/src/testing/icon-file.ts";
import { withLossMark } from "../formats/loss-mark.ts";
import { pngChunk } from "../formats/png/container.ts";
import { casesOfRun } from "../testing/deep.ts";
import { heicFile } from "../testing/heic-file.ts";
import { jxlFile } from "../testing/jxl-file.ts";
import { runOperation } from "../testing/run-operation.ts";
import { compress } from "./compress.ts";

const size = { width: 160, height: 96 };
const open = ({ data, width, height, channels }: Raster<Uint8Array>) =>
  sharp(data, { raw: { width, height, channels } });
const photo = () => open(drawPhoto(size));
const screen = () => open(drawScreen(size));
const logo = () => open(drawLogo(size));
const withSecrets = (image: Sharp) =>
  image.withExif({ IFD0: { Copyright: "A-SECRET" } }).withXmp("<x:xmpmeta>A-SECRET</x:xmpmeta>");
const bmp = async (image: Sharp) => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return encodeBmpSamples({ width: info.width, height: info.height, channels: info.channels as 3 | 4, data });
};
const losslessWebp = (picture: Raster<Uint8Array>) => open(picture).webp({ lossless: true, effort: 0 }).toBuffer();
const frames = (image: () => Sharp) =>
  Promise.all([image(), image().negate({ alpha: false }), image().flop()].map((one) => one.png().toBuffer()));
const moving = async (format: "webp" | "gif", image = photo) =>
  sharp(await frames(image), { join: { animated: true } })
    .toFormat(format, { loop: 3, delay: [70, 90, 110] })
    .toBuffer();

/** Formats that compress refuses have a test of their own. */
const refused = ["jxl", "psd", "jp2", "pdf"] as const;
type Compressed = Exclude<InputFormat, (typeof refused)[number]>;
const compressed = inputFormats.filter((format): format is Compressed => !refused.some((one) => one === format));

const inputs: Record<Compressed, (image: Sharp) => Promise<Uint8Array>> = {
  jpeg: (image) => withSecrets(image).jpeg({ quality: 97, chromaSubsampling: "4:4:4" }).toBuffer(),
  png: (image) => withSecrets(image).png().toBuffer(),
  webp: (image) => withSecrets(image).webp({ quality: 97 }).toBuffer(),
  gif: (image) => image.gif().toBuffer(),
  tiff: (image) => withSecrets(image).tiff({ compression: "lzw" }).toBuffer(),
  avif: (image) => withSecrets(image).avif({ quality: 95, effort: 1 }).toBuffer(),
  bmp,
  heic: async () => heicFile({ exif: Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0A-SECRET", "latin1") }),
  svg: async () =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="96"><!--A-SECRET-->
        <rect x="10.000" y="10.000" width="100" height="60" fill="#ff0000"/></svg>`,
    ),
  ico: async (image) => iconFile({ ...size, png: await withSecrets(image).png().toBuffer() }),
};

const at = async (quality: number, bytes: Uint8Array, signal?: AbortSignal) => {
  const { outcome, result } = await runOperation(compress, {
    bytes,
    options: { quality },
    ...(signal ? { signal } : {}),
  });
  if (outcome.kind !== "done") throw new Error("Compress always gives a result");
  return { ...outcome, bytes: result };
};
const pixelsOf = (bytes: Uint8Array) =>
  sniffFormat(bytes) === "bmp" ? decodeBmp(bytes).data : sharp(bytes, { animated: true }).raw().toBuffer();

test.each(compressed.flatMap((format) => [1, 100].map((quality) => [format, quality] as const)))(
  "a %s at %i keeps its format and size, is never larger, and has no metadata",
  async (format, quality) => {
    for (const image of [photo, screen]) {
      const bytes = await inputs[format](image());
      const { source, result, bytes: compressed } = await at(quality, bytes);
      const extent = { width: result.width, height: result.height };
      expect(source).toEqual({ format, ...extent, sizeBytes: bytes.length });
      expect(result).toEqual({ format: sniffFormat(compressed), ...extent, sizeBytes: compressed.length });
      expect(extent).toEqual(format === "heic" ? { width: 64, height: 32 } : size);
      if (format !== "heic") expect(result.format).toBe(format);
      expect(compressed.length).toBeLessThanOrEqual(bytes.length);
      expect(compressed.includes("A-SECRET")).toBe(false);
      if (format !== "bmp" && format !== "heic" && format !== "ico")
        expect(await sharp(compressed).metadata()).toMatchObject({
          ...extent,
          format: format === "avif" ? "heif" : format,
        });
    }
  },
);

test("what is read and not written is refused, with the way out", async () => {
  const { data, info } = await photo().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  await expect(at(75, await jxlFile({ ...info, data }))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining(
      "JPEG XL can be read but not written, so compress cannot keep the format. Use convert",
    ),
  });
});

test.each(["jpeg", "png", "webp", "gif", "tiff", "avif"] as const)(
  "a %s that came out of compress is not coded once more at a higher quality, and loses nothing",
  async (format) => {
    const once = (await at(30, await inputs[format](photo()))).bytes;
    const twice = (await at(95, once)).bytes;
    expect(twice.length).toBeLessThanOrEqual(once.length);
    if (format !== "png" && format !== "tiff" && format !== "gif") expect(twice.equals(once)).toBe(true);
    expect(await pixelsOf(twice)).toEqual(await pixelsOf(once));
  },
);

test.each(
  casesOfRun(
    (["jpeg", "png", "webp", "gif", "tiff", "avif"] as const).flatMap((format) =>
      [...(format === "jpeg" ? [20, 25] : []), 30, 60, 75, 90].map((quality) => [format, quality] as const),
    ),
  ),
)("a %s that is compressed at %i again loses nothing more", async (format, quality) => {
  for (const image of [photo, screen]) {
    const once = (await at(quality, await inputs[format](image()))).bytes;
    const twice = (await at(quality, once)).bytes;
    expect(twice.length).toBeLessThanOrEqual(once.length);
    expect(Buffer.compare(await pixelsOf(twice), await pixelsOf(once))).toBe(0);
  }
});

test("a JPEG that is compressed at 100 again stays as it is", async () => {
  const once = (await at(100, await inputs.jpeg(photo()))).bytes;
  expect((await at(100, once)).bytes.equals(once)).toBe(true);
});

test.each([
  ["png", (image: Sharp) => image.png({ compressionLevel: 1 })],
  ["webp", (image: Sharp) => image.webp({ lossless: true, effort: 0 })],
] as const)("a %s that a loss would hardly make smaller is made smaller without loss", async (_, write) => {
  const dots = draw(size, 3, (x, y) => [((x * 7 + y * 3) % 64) * 4, ((x + y * 5) % 48) * 5, (x * y) % 256]);
  const bytes = await write(open(dots)).toBuffer();
  const { bytes: compressed } = await at(95, bytes);
  expect(compressed.length).toBeLessThan(bytes.length);
});

test.each(["png", "webp", "tiff"] as const)(
  "an even %s and pixel art keep their colours where a loss would save next to nothing",
  async (format) => {
    const even = draw(size, 3, () => [13, 77, 200]);
    const stripes = draw(size, 3, (x, y) => [((x >> 3) * 53) % 256, ((y >> 3) * 31) % 256, ((x >> 3) * 97) % 256]);
    for (const picture of [even, stripes]) {
      const bytes = await (format === "webp" ? losslessWebp(picture) : inputs[format](open(picture)));
      const { bytes: compressed } = await at(60, bytes);
      expect(Buffer.from(await pixelsOf(compressed)).equals(Buffer.from(picture.data))).toBe(true);
    }
  },
);

test("an original that comes back is upright as before, and nothing is said", async () => {
  const small = await photo().jpeg({ quality: 20, mozjpeg: true }).toBuffer();
  const turned = await sharp(small).keepMetadata().withMetadata({ orientation: 6 }).jpeg({ quality: 20 }).toBuffer();
  const { bytes, result, notes } = await at(95, turned);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(turned));
  expect([result.width, result.height]).toEqual([size.height, size.width]);
  expect((await sharp(bytes).metadata()).orientation).toBe(6);
  expect(notes).toEqual([]);
});

test.each([
  ["png", () => photo().png().toBuffer()],
  ["png", () => logo().png().toBuffer()],
  ["png", () => photo().toColourspace("rgb16").png().toBuffer()],
  ["webp", () => photo().webp({ lossless: true }).toBuffer()],
  ["webp", () => logo().webp({ lossless: true, exact: true }).toBuffer()],
  ["tiff", () => photo().tiff({ compression: "none" }).toBuffer()],
  ["tiff", () => logo().tiff({ compression: "none" }).toBuffer()],
  ["tiff", () => photo().toColourspace("rgb16").tiff({ compression: "none" }).toBuffer()],
  ["bmp", () => bmp(screen())],
  ["avif", () => photo().avif({ lossless: true }).toBuffer()],
  ["gif", () => moving("gif", screen)],
] as const)("at 100 nothing is lost: %s, %#", async (_, make) => {
  const bytes = await make();
  const { bytes: compressed, notes } = await at(100, bytes);
  const [before, after] = [await pixelsOf(bytes), await pixelsOf(compressed)];
  expect(Buffer.from(after).equals(before)).toBe(true);
  expect(compressed.length).toBeLessThanOrEqual(bytes.length);
  expect(notes).toEqual([]);
});

test("metadata and invisible pixels stay, too, at 100", async () => {
  const hidden = Buffer.alloc(64 * 64 * 4, 0).map((_, i) => (i % 4 === 3 ? (i % 64 < 32 ? 0 : 255) : (i * 7) % 251));
  const bytes = await sharp(hidden, { raw: { width: 64, height: 64, channels: 4 } })
    .png()
    .toBuffer();
  const after = await pixelsOf((await at(100, bytes)).bytes);
  expect(Buffer.from(after).equals(hidden)).toBe(true);
});

test("a scanned page stays black on white, in one bit a pixel", async () => {
  const page = draw({ width: 300, height: 200 }, 1, (x, y) => [(x * 7 + y * y) % 23 < 4 ? 0 : 255]);
  const plain = await open(page).toColourspace("b-w").tiff({ compression: "none" }).toBuffer();
  const fax = await sharp(plain).toColourspace("b-w").tiff({ compression: "ccittfax4", bitdepth: 1 }).toBuffer();
  for (const quality of [30, 100])
    for (const bytes of [plain, fax]) {
      const { bytes: compressed } = await at(quality, bytes);
      expect(await sharp(compressed).metadata()).toMatchObject({ format: "tiff", bitsPerSample: 1 });
      expect((await sharp(compressed).toColourspace("b-w").raw().toBuffer()).equals(page.data)).toBe(true);
      expect(compressed.length).toBeLessThanOrEqual(fax.length);
    }
});

test.each(["png", "webp", "tiff", "avif"] as const)("a %s keeps what is transparent", async (format) => {
  const bytes = await logo()
    .toFormat(format, format === "tiff" ? { compression: "lzw" } : { quality: 98 })
    .toBuffer();
  const { bytes: compressed } = await at(60, bytes);
  const alpha = async (file: Uint8Array) => sharp(file).extractChannel(3).raw().toBuffer();
  const [before, after] = [await alpha(bytes), await alpha(compressed)];
  const off = before.map((value, i) => Math.abs(value - (after[i] ?? 0)));
  expect(off.reduce((sum, value) => sum + value, 0) / off.length).toBeLessThan(3);
  expect(after[0]).toBe(0);
});

test("16 bits stay where the quality asks for them, and it is said where they do not", async () => {
  const deep = await photo().toColourspace("rgb16").png().toBuffer();
  const [kept, reduced] = [await at(90, deep), await at(60, deep)];
  expect((await sharp(kept.bytes).metadata()).depth).toBe("ushort");
  expect((await sharp(reduced.bytes).metadata()).depth).toBe("uchar");
  expect([kept.notes.length, reduced.notes.length]).toEqual([0, 1]);
});

test.each(["gif", "webp"] as const)("a moving %s keeps its frames, times and loops", async (format) => {
  const bytes = await moving(format);
  const { bytes: compressed, result } = await at(40, bytes);
  const { pages, delay, loop } = await sharp(compressed).metadata();
  expect({ pages, delay, loop }).toEqual({ pages: 3, delay: [70, 90, 110], loop: 3 });
  expect([result.width, result.height]).toEqual([size.width, size.height]);
  expect(compressed.length).toBeLessThan(bytes.length);
});

test("pages of a TIFF are all still there", async () => {
  const tiff = await sharp(await frames(photo), { join: { animated: true } })
    .tiff({ compression: "none" })
    .toBuffer();
  expect((await sharp((await at(50, tiff)).bytes).metadata()).pages).toBe(3);
});

test("a JPEG for print becomes sRGB where it is coded again", async () => {
  const cmyk = await photo().toColourspace("cmyk").jpeg({ quality: 98 }).toBuffer();
  const { bytes, notes } = await at(70, cmyk);
  expect((await sharp(bytes).metadata()).space).toBe("srgb");
  expect(notes).toEqual([{ code: "cmyk-converted" }]);
});

test("colour is halved in a photograph, and kept whole where letters are coloured", async () => {
  const chroma = async (image: Sharp) =>
    (await sharp((await at(80, await inputs.jpeg(image))).bytes).metadata()).chromaSubsampling;
  expect(await chroma(photo())).toBe("4:2:0");
  expect(await chroma(screen())).toBe("4:4:4");
});

test("colour is kept whole where all edges lie between even pixels", async () => {
  const art = draw({ width: 128, height: 96 }, 3, (x, y) => {
    const cell = (x >> 3) * 7 + (y >> 3) * 13;
    return [(cell * 37) & 255, (cell * 91) & 255, (cell * 53) & 255];
  });
  const bytes = await sharp(art.data, { raw: art }).jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer();
  const { result } = await runOperation(compress, { bytes, options: { quality: 75 } });
  expect((await sharp(result).metadata()).chromaSubsampling).toBe("4:4:4");
});

test.each(["jpeg", "avif"] as const)("a %s that is compressed again comes back as it is", async (format) => {
  const photo = drawPhoto({ width: 320, height: 240 });
  let bytes: Uint8Array = await sharp(photo.data, { raw: photo }).toFormat(format, { quality: 97 }).toBuffer();
  const sizes: number[] = [];
  for (let i = 0; i < 4; i++) {
    ({ result: bytes } = await runOperation(compress, { bytes, options: { quality: 85 } }));
    sizes.push(bytes.length);
  }
  expect(sizes.slice(2)).toEqual([sizes[1], sizes[1]]);
});

test("a slope that a program drew is smaller without loss at every quality", async () => {
  const slope = draw({ width: 320, height: 240 }, 3, (x, y) => [x * 0.79, y, 128]);
  const bytes = await sharp(slope.data, { raw: slope }).png().toBuffer();
  for (const quality of [50, 75, 95]) {
    const { result } = await runOperation(compress, { bytes, options: { quality } });
    expect(result.length).toBeLessThan(1200);
    expect((await sharp(result).raw().toBuffer()).equals(Buffer.from(slope.data))).toBe(true);
  }
});

test("an SVG draws the same in less text, and keeps the names in it", async () => {
  const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="160" height="96" viewBox="0 0 160 96">
    <defs><circle id="dot" cx="10.00000" cy="10" r="8"/></defs>
    <g fill="#ff0000"><use href="#dot"/><path id="line" d="M 20.000 20.000 L 120.000 20.000 L 120.000 80.000 Z"/></g></svg>`;
  const { bytes } = await at(75, Buffer.from(svg));
  expect(bytes.length).toBeLessThan(svg.length * 0.8);
  expect(bytes.toString()).toContain('id="line"');
  expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(Buffer.from(svg)).raw().toBuffer());
});

test.each([
  ["a rule for dark pages", '<rect width="9" height="9"/>', "@media (prefers-color-scheme:dark){rect{fill:#eee}}"],
  ["a rule for the pointer", '<g class="a"><path d="M0 0h9v9"/></g>', ".a:hover{fill:red}"],
  ["a rule for a class that a script sets", '<ellipse cx="9" cy="9" rx="3" ry="3"/>', ".later{fill:red}"],
  ["a rule that is always at work", '<g id="part" class="a"><path d="M0 0h9v9"/></g>', ".a{fill:red}"],
  ["an animated width", '<rect width="9" height="9"><animate attributeName="width" values="9;30"/></rect>'],
  [
    "an animated end",
    '<line x1="0" y1="0" x2="9" y2="9" stroke="red"><animate attributeName="x2" values="9;30"/></line>',
  ],
  ["an animated place", '<g transform="translate(9 9)"><path d="M0 0h9v9"><animateMotion path="M0 0h9"/></path></g>'],
])("an SVG keeps %s, and the elements that it names", async (_, drawing, rules = "") => {
  const style = rules && `<style>\n  ${rules}\n</style>`;
  const comment = `<!-- ${"drawn by a program ".repeat(9)} -->`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${comment}${style}${drawing}</svg>`;
  const { bytes } = await at(75, Buffer.from(svg));
  expect(bytes.length).toBeLessThan(svg.length);
  const elements = (text: string) => text.match(/<(?!style)\w+|(?:id|class|values|transform)="[^"]*"/g)?.sort();
  expect(elements(bytes.toString())).toEqual(elements(svg.replace(comment, "")));
  expect(bytes.toString()).toContain(rules);
});

test("a damaged file is refused, and not handed back", async () => {
  for (const format of ["jpeg", "png", "webp", "gif", "tiff"] as const) {
    const bytes = await inputs[format](photo());
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6));
    await expect(at(80, cut), format).rejects.toThrow();
  }
});

test.each(["png", "gif", "webp", "tiff"] as const)("cancelling ends a %s without a result", async (format) => {
  const abort = new AbortController();
  const running = at(60, await inputs[format](photo()), abort.signal);
  abort.abort(new DomainError("cancelled"));
  await expect(running).rejects.toMatchObject({ code: "cancelled" });
});

test.each([
  '<rect x="80.000" y="30" width="60" height="60" transform="rotate(45)" transform-origin="110 60"/>',
  '<path d="M80 30h60v60h-60z" transform="rotate(45)" style="transform-origin:110px 60px"/>',
  '<style>.t{transform-box:fill-box;transform-origin:center}</style><path class="t" d="M80.0 30h60v60h-60z" transform="rotate(45)"/>',
  '<foreignObject width="99" height="9"><p xmlns="http://www.w3.org/1999/xhtml" style="margin:0.0px">a  b</p></foreignObject>',
  '<style>.g{fill:#c00000; &amp; rect{fill:#00c}}</style><g class="g"><rect width="60" height="60"/></g>',
])("compress rewrites nothing of a drawing that its check cannot see: %s", async (inside) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120"><!-- a comment that goes -->${inside}</svg>`;
  const { bytes } = await at(75, Buffer.from(svg));
  expect(bytes.length).toBeLessThan(svg.length);
  expect(bytes.toString()).toContain(inside);
});

test.each(
  casesOfRun(
    [30, 50, 65, 75, 85, 90, 95, 100].flatMap((quality) =>
      (["png", "gif"] as const).map((format) => [format, quality] as const),
    ),
  ),
)("a %s that came out of compress at %i comes back from it byte for byte", async (format, quality) => {
  for (const image of [photo, screen, logo]) {
    const once = (await at(quality, await inputs[format](image()))).bytes;
    expect((await at(quality, once)).bytes.equals(once)).toBe(true);
  }
  if (format === "png") return;
  const once = (await at(quality, await moving("gif"))).bytes;
  expect((await at(quality, once)).bytes.equals(once)).toBe(true);
});

test("a marked result stays as it is also with metadata, which goes, and not with other pixels or at a lower quality", async () => {
  const once = (await at(85, await inputs.png(logo()))).bytes;
  const exif = pngChunk("eXIf", Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0A-SECRET", "latin1"));
  const reported = Buffer.concat([once.subarray(0, 33), exif, once.subarray(33)]);
  expect((await at(85, reported)).bytes.equals(once)).toBe(true);
  expect((await at(95, once)).bytes.equals(once)).toBe(true);
  const turned = await sharp(once).rotate(90).png().toBuffer();
  expect((await at(85, turned)).nothingSaved).toBeUndefined();
  const forged = withLossMark(reported, { format: "png", quality: 50 });
  expect((await at(85, forged)).bytes.toString("latin1")).not.toContain("A-SECRET");
  expect((await at(30, once)).bytes.equals(once)).toBe(false);
});
