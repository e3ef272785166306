import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { drawPhoto, drawScreen, randomNumbers } from "../testing/drawn-pictures.ts";
import { deflateOptimally, type ParseEffort } from "./optimal-deflate.ts";
import { quantizeSamples } from "./quantize-samples.ts";

const efforts: readonly ParseEffort[] = [
  { depth: 40, passes: 1, at: "bytes" },
  { depth: 20, passes: 0, at: "pixels" },
  { depth: 1000, passes: 3, at: "bytes" },
];
const pack = (bytes: Uint8Array, effort: ParseEffort, rowBytes = 301, pixelBytes = 3) =>
  Buffer.concat(deflateOptimally({ length: bytes.length, rowBytes, pixelBytes }, effort, (to) => to.set(bytes)));

const random = randomNumbers(5);
const noise = Uint8Array.from({ length: 301 * 1000 }, () => random() * 256);
/** Pieces of 40 bytes repeat at nearly the largest distance of a match. */
const farCopies = noise.map((byte, i) => (i % 32_740 < 40 ? (i % 32_740) * 5 : byte));

test.each([
  ["one row", noise.slice(0, 301)],
  ["fewer bytes than a tree takes", Uint8Array.of(3, 1, 2, 1, 2)],
  ["noise, longer than a chunk", noise],
  ["one byte again and again", new Uint8Array(301 * 2000).fill(7)],
  ["matches from the whole window", farCopies],
  ["a short pattern", noise.map((_, i) => [0, 0, 0, 7, 7, 7, 249][i % 7] as number)],
  ["little noise", noise.map((byte) => (byte < 20 ? byte : 0))],
])("unpacked, the bytes are what was packed: %s", (_, bytes) => {
  for (const effort of efforts) expect(inflateSync(pack(bytes, effort)).equals(bytes)).toBe(true);
});

test.each([
  ["a photograph", drawPhoto({ width: 480, height: 360 }), 0.97],
  ["an interface", drawScreen({ width: 480, height: 360 }), 1],
])("what is left of %s takes fewer bytes than by zlib's highest level", (_, picture, most) => {
  const rows = quantizeSamples(picture, { step: 8, prediction: "average" });
  const packed = pack(rows, efforts[0] as ParseEffort, 480 * 3, 3);
  expect(packed.length).toBeLessThan(deflateSync(rows, { level: 9, memLevel: 9 }).length * most);
});
