import { encodeBmpSamples } from "@tintype/codecs/bmp";
import { type InputFormat, inputFormats } from "@tintype/contract";
import sharp from "sharp";
import { expect, test } from "vitest";
import { iconFile } from "../../../codecs/src/testing/icon-file.ts";
import { heicFile } from "../testing/heic-file.ts";
import { jp2Codestream, jp2Container } from "../testing/jp2-file.ts";
import { jxlContainer, jxlFile } from "../testing/jxl-file.ts";
import { filled, pdfFile } from "../testing/pdf-file.ts";
import { psdFile } from "../testing/psd-file.ts";
import { runOperation } from "../testing/run-operation.ts";
import { preview } from "./preview.ts";
import { upload } from "./upload.ts";

const data = Uint8Array.from({ length: 64 * 32 * 3 }, (_, i) => (i * 13) % 253);
const picture = () =>
  sharp(data, { raw: { width: 64, height: 32, channels: 3 } }).withExif({ IFD0: { Copyright: "A-SECRET" } });
const inputs: Record<InputFormat, () => Promise<Uint8Array>> = {
  jpeg: () => picture().jpeg().toBuffer(),
  png: () => picture().png().toBuffer(),
  webp: () => picture().webp().toBuffer(),
  gif: () => picture().gif().toBuffer(),
  tiff: () => picture().tiff({ compression: "lzw" }).toBuffer(),
  avif: () => picture().avif({ effort: 1 }).toBuffer(),
  bmp: async () => encodeBmpSamples({ width: 64, height: 32, channels: 3, data }),
  heic: async () => heicFile({ exif: Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0A-SECRET", "latin1") }),
  svg: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><!--A-SECRET--></svg>'),
  jxl: async () => {
    const { data, info } = await picture().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return jxlContainer(await jxlFile({ ...info, data }), [["xml ", Buffer.from("A-SECRET")]]);
  },
  psd: async () => {
    const planes = [0, 1, 2].map((c) => data.filter((_, i) => i % 3 === c));
    return psdFile({ width: 64, height: 32, mode: 3, planes, resources: [[1060, Buffer.from("A-SECRET")]] });
  },
  jp2: async () => {
    const codestream = await jp2Codestream({ width: 64, height: 32, channels: 3, data });
    return jp2Container(codestream, { boxes: [["xml ", Buffer.from("A-SECRET")]] });
  },
  pdf: async () => pdfFile({ pages: [{ box: [0, 0, 32, 16], content: filled("1 0 0") }] }),
  ico: async () => iconFile({ width: 64, height: 32, png: await picture().png().toBuffer() }),
};

test.each(inputFormats.filter((format) => format !== "pdf"))(
  "an uploaded %s comes back as it is, without its metadata",
  async (format) => {
    const bytes = await inputs[format]();
    const { outcome, result } = await runOperation(upload, { bytes });
    expect(result.includes("A-SECRET")).toBe(false);
    expect(outcome).toEqual({
      kind: "done",
      source: { format, width: 64, height: 32, sizeBytes: bytes.length },
      result: { format, width: 64, height: 32, sizeBytes: result.length },
      notes: [],
    });
  },
);

test.each(["jpeg", "png", "webp", "gif", "tiff", "avif", "ico", "jxl", "psd", "jp2"] as const)(
  "a %s cut short is broken, however much is there",
  async (format) => {
    const bytes = await inputs[format]();
    for (const share of [0.3, 0.6, 0.9])
      await expect(runOperation(upload, { bytes: bytes.subarray(0, bytes.length * share) })).rejects.toMatchObject({
        code: "broken-image",
      });
  },
);

// product: upload-checks
test("a PNG with a wrong checksum is broken", async () => {
  const bytes = Buffer.from(await inputs.png());
  const at = bytes.indexOf("IDAT");
  bytes.writeUInt32BE(
    (bytes.readUInt32BE(at + 4 + bytes.readUInt32BE(at - 4)) ^ 1) >>> 0,
    at + 4 + bytes.readUInt32BE(at - 4),
  );
  await expect(runOperation(upload, { bytes })).rejects.toMatchObject({ code: "broken-image" });
});

test.each(inputFormats)("a %s has a preview: a small WebP in sRGB", async (format) => {
  const { outcome, result } = await runOperation(preview, { bytes: await inputs[format](), options: { side: 16 } });
  expect(outcome).toMatchObject({ kind: "done", result: { format: "webp", width: 16, height: 8 } });
  expect(await sharp(result).metadata()).toMatchObject({ format: "webp", width: 16, height: 8, hasProfile: false });
});

test("a preview is upright, of the first frame, and never larger than the picture", async () => {
  const turned = await sharp(await inputs.jpeg())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const upright = await runOperation(preview, { bytes: turned, options: { side: 512 } });
  expect(upright.outcome).toMatchObject({ result: { width: 23, height: 45 } });
  const frames = [await inputs.png(), await inputs.png()].map((frame) => Buffer.from(frame));
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const first = await runOperation(preview, { bytes: moving, options: { side: 16 } });
  expect((await sharp(first.result).metadata()).pages ?? 1).toBe(1);
  expect(first.outcome).toMatchObject({ result: { width: 16, height: 8 } });
});
