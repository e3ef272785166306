import sharp from "sharp";
import { expect, test } from "vitest";
import { framesByLibvips } from "../../../../codecs/src/testing/shown-frames.ts";
import { encodeGif } from "./write.ts";

const [width, height, frames] = [96, 64, 6];

/** A disc that moves across a smooth gradient, as sharp's strip of concatenated frames. */
function crossing() {
  const data = Buffer.alloc(width * height * frames * 3);
  for (let at = 0; at < data.length / 3; at++) {
    const [x, y, frame] = [at % width, Math.floor(at / width) % height, Math.floor(at / (width * height))];
    const isDisc = Math.hypot(x - 14 - frame * 13, y - 30) < 11;
    const ground = Math.round(90 + x + 0.5 * y);
    data.set(isDisc ? [200, 40, 30 + y] : [ground, ground - 20, 255 - ground], at * 3);
  }
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  return sharp(data, { raw }).gif({ delay: Array<number>(frames).fill(70), loop: 2, keepDuplicateFrames: true });
}

test("a moving GIF is packed by what changes, and shows exactly what libvips wrote", async () => {
  const plain = await crossing().toBuffer();
  const encoded = await encodeGif(crossing(), { quality: 85 });
  expect(encoded).toMatchObject({ width, height, notes: [] });
  expect(encoded.bytes.length).toBeLessThan(plain.length);
  expect(await framesByLibvips(encoded.bytes)).toEqual(await framesByLibvips(plain));
  expect(await sharp(encoded.bytes).metadata()).toMatchObject({ pages: frames, loop: 2 });
});

test("with minimizeBytes it loses what the quality allows; cancelled it ends", async () => {
  const exact = await encodeGif(crossing(), { quality: 60 });
  const smaller = await encodeGif(crossing(), { quality: 60, minimizeBytes: true });
  expect(smaller.bytes.length).toBeLessThan(exact.bytes.length * 0.8);
  await expect(encodeGif(crossing(), { quality: 60, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "cancelled",
  });
});
