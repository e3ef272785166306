import { sniffBytes, sniffFormat } from "@tintype/codecs/headers";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { bmpFile } from "../../../codecs/src/testing/bmp-file.ts";
import { heicFile } from "../testing/heic-file.ts";

const picture = () => sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } });
const text = (said: string) => new TextEncoder().encode(said);

test.each(["jpeg", "png", "webp", "gif", "tiff", "avif"] as const)(
  "a %s is known by its first bytes",
  async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    expect(sniffFormat(bytes.subarray(0, sniffBytes))).toBe(format);
  },
);

test("a BigTIFF is a TIFF", async () => {
  expect(sniffFormat(await picture().tiff({ bigtiff: true }).toBuffer())).toBe("tiff");
});

test("a HEIF is what it holds where its brands leave it open", () => {
  expect(sniffFormat(heicFile())).toBe("heic");
  const open = Buffer.from(heicFile({ type: "av01" }));
  open.write("mif1mif1", 16);
  expect(sniffFormat(open)).toBe("avif");
});

test("a video of the same family is not a picture", () => {
  expect(sniffFormat(Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp41", "latin1"))).toBeUndefined();
});

test.each([12, 16, 40, 52, 56, 64, 108, 124])("a BMP with a header of %i bytes is known", (headerSize) => {
  expect(sniffFormat(bmpFile({ width: 1, height: 1, bits: 24, headerSize, body: [0, 0, 0, 0] }))).toBe("bmp");
});

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "\uFEFF <?xml version='1.0'?>\n<!-- <html> --><svg/>",
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a>b" [<!ENTITY a "]>">]>\n<svg>',
  `<!--${"x".repeat(9000)}--><svg width="1">`,
])("an SVG is known behind whatever may stand before its root", (svg) => {
  expect(sniffFormat(text(svg))).toBe("svg");
});

test("an SVG in UTF-16 is known", () => {
  expect(sniffFormat(Buffer.from("\uFEFF<svg/>", "utf16le"))).toBe("svg");
  expect(sniffFormat(Buffer.from("\uFEFF<svg/>", "utf16le").swap16())).toBe("svg");
});

test.each(["", "B", "BM", "BMW, the car", "<html><svg></svg></html>", "<svgx>", "GIF87", "RIFF1234WAVE", "II*"])(
  "%j is no picture",
  (said) => {
    expect(sniffFormat(text(said))).toBeUndefined();
  },
);

test("no bytes make it throw, not even the heads of pictures cut anywhere", async () => {
  const heads = await Promise.all(
    (["jpeg", "png", "webp", "gif", "tiff", "avif"] as const).map((format) => picture().toFormat(format).toBuffer()),
  );
  const cut = fc
    .tuple(fc.constantFrom<Uint8Array>(...heads, heicFile(), text("<!DOCTYPE svg [<svg")), fc.nat(64))
    .map(([head, length]) => head.subarray(0, length));
  const changed = fc.tuple(cut, fc.uint8Array({ maxLength: 64 })).map(([head, rest]) => Buffer.concat([head, rest]));
  const anything = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string().map(text), cut, changed);
  fc.assert(
    fc.property(anything, (bytes) => {
      sniffFormat(bytes);
    }),
    { numRuns: 2000 },
  );
});

test("bytes made to be slow to look through are not", () => {
  const start = performance.now();
  for (const piece of ["<!--", "<?", "<!DOCTYPE a [", " ", "<!DOCTYPE '", "]"])
    sniffFormat(text(piece.repeat(sniffBytes / piece.length)));
  expect(performance.now() - start).toBeLessThan(2000);
});
