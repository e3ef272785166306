import { writeSegment, xmpMark } from "@tintype/codecs/jpeg";
import sharp from "sharp";
import { expect, test } from "vitest";
import { isoOfNumbers } from "../iso-gain-map.ts";
import { readGainMap, recodeAsAvif } from "./gain-map.ts";

test("elements of a gain map that never end are read in time", async () => {
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: "grey" } })
    .jpeg()
    .toBuffer();
  const timeOf = (content: string): number => {
    const packet = writeSegment(0xe1, Buffer.from(`${xmpMark}hdrgm:Version ${content}`, "latin1"));
    const packets = Array<Uint8Array>(200).fill(packet); // 13 MB
    const bytes = Buffer.concat([jpeg, jpeg.subarray(0, 2), ...packets, jpeg.subarray(2)]);
    const started = performance.now();
    expect(readGainMap(bytes)).toBeUndefined();
    return performance.now() - started;
  };
  timeOf("<hdrgm:GainMapMin ".repeat(3400)); // warm-up: the JIT has compiled
  // Searching from each start tag took thirty times as long as text without one.
  expect(timeOf("<hdrgm:GainMapMin>".repeat(3400)) / timeOf("<hdrgm:GainMapMin ".repeat(3400))).toBeLessThan(10);
});

test.each([
  [0, 2, true],
  [2, 0, false],
])(
  "a base headroom of %i and an alternate headroom of %i: an AVIF takes the gain map: %s",
  async (base, alternate, takes) => {
    const size = { width: 8, height: 8 };
    const jpeg = await sharp({ create: { ...size, channels: 3, background: "grey" } })
      .jpeg()
      .toBuffer();
    const channel = { minStops: 0, maxStops: 2, gamma: 1, baseOffset: 0, alternateOffset: 0 };
    const iso = isoOfNumbers({ baseHeadroom: base, alternateHeadroom: alternate, channels: [channel] });
    const change = { orientation: 1, picture: size, window: { left: 0, top: 0, ...size }, result: size };
    const recoded = await recodeAsAvif({ jpeg, iso }, { change, quality: 80, signal: new AbortController().signal });
    expect(recoded?.iso).toEqual(takes ? iso : undefined);
  },
);
