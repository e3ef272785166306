import { allSegments, isFrame, markers } from "@tintype/codecs/jpeg";
import sharp from "sharp";
import { expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { resize } from "../../operations/resize.ts";
import { upload } from "../../operations/upload.ts";
import { noisePicture } from "../../testing/metadata-pictures.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { withDefinedHeight } from "./defined-height.ts";

/** The height moves from the frame header to a DNL segment after the scan (ITU-T T.81, B.2.5). */
async function scanned(): Promise<{ jpeg: Buffer; plain: Buffer }> {
  const plain = await noisePicture().jpeg({ quality: 80 }).toBuffer();
  const jpeg = Buffer.from(plain);
  let scanEnd = 0;
  for (const { marker, end, data } of allSegments(jpeg)) {
    if (isFrame(marker)) jpeg.writeUInt16BE(0, end - data.length + 1);
    if (marker === markers.sos) scanEnd = end;
  }
  const lines = Buffer.from([0xff, 0xdc, 0, 4, 0, 64]);
  return { jpeg: Buffer.concat([jpeg.subarray(0, scanEnd), lines, jpeg.subarray(scanEnd)]), plain };
}

test("a JPEG takes its height from the DNL marker", async () => {
  const { jpeg, plain } = await scanned();
  expect(withDefinedHeight(plain)).toBeUndefined();
  expect(withDefinedHeight(jpeg)?.equals(plain)).toBe(true);
});

test("every operation reads a JPEG with a DNL marker, and an original comes back for other readers", async () => {
  const { jpeg, plain } = await scanned();
  const pixels = await sharp(plain).raw().toBuffer();
  const uploaded = await runOperation(upload, { bytes: jpeg });
  expect(uploaded.outcome.result).toMatchObject({ format: "jpeg", width: 96, height: 64 });
  expect((await sharp(uploaded.result).raw().toBuffer()).equals(pixels)).toBe(true);
  const compressed = await runOperation(compress, { bytes: jpeg, options: { quality: 60 } });
  expect(compressed.outcome.result).toMatchObject({ width: 96, height: 64 });
  const resized = await runOperation(resize, { bytes: jpeg, options: { width: 48, method: "fit" } });
  expect(resized.outcome.result).toMatchObject({ width: 48, height: 32 });
});

test("a JPEG without a height anywhere is damaged", async () => {
  const { jpeg } = await scanned();
  const at = jpeg.indexOf(Buffer.from([0xff, 0xdc, 0, 4]));
  const without = Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 6)]);
  await expect(runOperation(upload, { bytes: without })).rejects.toMatchObject({ code: "broken-image" });
});
