import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { withTiming } from "../webp/timing.ts";
import { delaysInCs, slowedDown } from "./delays.ts";

test("hundredths of a second add up to the same total, and none is one that browsers ignore", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 20, max: 400 }), { minLength: 1 }), (delays) => {
      const { delaysCs, isSlower } = delaysInCs(delays);
      const [exact, written] = [delays, delaysCs].map((some) => some.reduce((sum, one) => sum + one, 0));
      expect(Math.abs((exact ?? 0) / 10 - (written ?? 0))).toBeLessThanOrEqual(1);
      expect(Math.min(...delaysCs)).toBeGreaterThanOrEqual(2);
      expect(isSlower).toBe(false);
    }),
  );
});

/** Frames of changing colours, as an animated WebP. */
async function moving(delay: number[], loop = 0): Promise<Buffer> {
  const frames = delay.map((_, i) =>
    sharp({ create: { width: 24, height: 16, channels: 3, background: { r: (i * 37) % 256, g: 80, b: 160 } } })
      .png()
      .toBuffer(),
  );
  const webp = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();
  return Buffer.from(withTiming(webp, { delays: delay, plays: loop }));
}

const delaysOf = async (bytes: Buffer) => (await sharp(bytes, { animated: true }).metadata()).delay ?? [];
const total = (delays: number[]) => delays.reduce((sum, one) => sum + one, 0);
const toGif = { target_format: "gif", min_quality: 40, allow_resize: false } as const;
const half = { width: 12, method: "fit" } as const;

test.each([25, 33, 16.7 * 2, 41])("frames of %i ms keep their total as a GIF", async (ms) => {
  const source = await moving(Array(24).fill(Math.round(ms)));
  const { result, outcome } = await runOperation(convert, { bytes: source, options: toGif });
  const delays = await delaysOf(result);
  expect(Math.abs(total(delays) - 24 * Math.round(ms))).toBeLessThanOrEqual(10);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(20);
  expect(outcome.notes).not.toContainEqual(slowedDown);
});

test("frames that a GIF cannot show as briefly last 20 ms, and a note says so", async () => {
  const { result, outcome } = await runOperation(convert, { bytes: await moving(Array(20).fill(12)), options: toGif });
  expect(new Set(await delaysOf(result))).toEqual(new Set([20]));
  expect(outcome.notes).toContainEqual(slowedDown);
});

test.each(["gif", "webp", "png"] as const)("a resized %s keeps frames of 90 seconds", async (format) => {
  const source = await runOperation(convert, {
    bytes: await moving([90_000, 70_000, 40]),
    options: { ...toGif, target_format: format },
  });
  const bytes = format === "webp" ? await moving([90_000, 70_000, 40]) : source.result;
  const { result } = await runOperation(resize, { bytes, options: half });
  if (format === "png") {
    const frames = Array.from({ length: 3 }, (_, i) => nthFcTL(result, i));
    expect(frames).toEqual([90, 70, 0.04]);
  } else expect(await delaysOf(result)).toEqual([90_000, 70_000, 40]);
});

/** Seconds: delay_num over delay_den of fcTL (PNG, third edition, 11.3.6.2). */
function nthFcTL(png: Buffer, n: number): number {
  let at = 0;
  for (let i = 0; i <= n; i++) at = png.indexOf("fcTL", at + 1);
  return png.readUInt16BE(at + 4 + 20) / (png.readUInt16BE(at + 4 + 22) || 100);
}

test.each([0, 1, 3, 65_534, 65_535])("a GIF of loop count %i is resized, as often as it can say", async (count) => {
  const gif = await sharp(await moving([40, 40, 40]), { animated: true })
    .gif({ loop: 7 })
    .toBuffer();
  const at = gif.indexOf("NETSCAPE2.0") + 11 + 2;
  const bytes = Buffer.from(gif);
  bytes.writeUInt16LE(count, at);
  const before = (await sharp(bytes, { animated: true }).metadata()).loop ?? 0;
  for (const run of [
    () => runOperation(resize, { bytes, options: half }),
    () => runOperation(convert, { bytes, options: { ...toGif, target_format: "webp" } }),
  ]) {
    const after = (await sharp((await run()).result, { animated: true }).metadata()).loop;
    expect([before, 65_535, 0]).toContain(after);
    if (before < 65_535) expect(after).toBe(before);
  }
});
