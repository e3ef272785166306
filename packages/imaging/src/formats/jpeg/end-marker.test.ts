import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { upload } from "../../operations/upload.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { openSource } from "../open-source.ts";
import { checkDecodes } from "../source.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "jpeg-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(bytes: Uint8Array) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  await checkDecodes(await openSource(path, { megapixelsIn: 25, megapixelsOut: 25 }));
}

const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * i) % 253));
const jpeg = (progressive: boolean) =>
  sharp(noise, { raw: { width: 64, height: 48, channels: 3 } })
    .jpeg({ quality: 80, progressive })
    .toBuffer();

test.each([false, true])(
  "a JPEG that lacks nothing but its end marker is read (progressive: %s)",
  async (progressive) => {
    const whole = await jpeg(progressive);
    await check(whole.subarray(0, -2));
    await check(whole.subarray(0, -1)); // half of the marker
    const { result } = await runOperation(upload, { bytes: whole.subarray(0, -2) });
    expect([...result.subarray(-2)]).toEqual([0xff, 0xd9]);
    const compressed = await runOperation(compress, { bytes: whole.subarray(0, -2), options: { min_quality: 20 } });
    await check(compressed.result);
  },
);

test.each([false, true])("a JPEG that is cut within its pixels is refused (progressive: %s)", async (progressive) => {
  const whole = await jpeg(progressive);
  const cuts = [0.98, 0.9, 0.7, 0.5, 0.3].map((share) => Math.floor(whole.length * share));
  for (const length of cuts)
    await expect(check(whole.subarray(0, length))).rejects.toMatchObject({ code: "broken-image" });
});

test("a progressive JPEG whose last scans are missing is refused", async () => {
  const whole = await jpeg(true);
  const scans: number[] = [];
  for (let at = whole.indexOf("ffda", 0, "hex"); at >= 0; at = whole.indexOf("ffda", at + 1, "hex")) scans.push(at);
  expect(scans.length).toBeGreaterThan(3);
  for (const at of scans.slice(1))
    await expect(check(whole.subarray(0, at))).rejects.toMatchObject({ code: "broken-image" });
});
