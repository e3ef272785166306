import sharp from "sharp";
import { expect, test } from "vitest";
import { readGainMap } from "./gain-map.ts";
import { xmpMark } from "./pictures.ts";
import { segment } from "./scans.ts";

test("elements of a gain map that never end are read in time", async () => {
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: "grey" } })
    .jpeg()
    .toBuffer();
  const timeOf = (content: string): number => {
    const packet = segment(0xe1, Buffer.from(`${xmpMark}hdrgm:Version ${content}`, "latin1"));
    const packets = Array<Uint8Array>(200).fill(packet); // 13 MB
    const bytes = Buffer.concat([jpeg, jpeg.subarray(0, 2), ...packets, jpeg.subarray(2)]);
    const started = performance.now();
    expect(readGainMap(bytes)).toBeUndefined();
    return performance.now() - started;
  };
  timeOf("<hdrgm:GainMapMin ".repeat(3400)); // compilers have finished
  // Searched from each beginning, they take thirty times as long as plain letters.
  expect(timeOf("<hdrgm:GainMapMin>".repeat(3400)) / timeOf("<hdrgm:GainMapMin ".repeat(3400))).toBeLessThan(10);
});
