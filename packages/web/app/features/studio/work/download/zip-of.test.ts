import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { zipOf } from "./zip-of.ts";

test("a ZIP of the results has each size and checksum before the bytes, as streaming readers need", async () => {
  const [large, small] = [Buffer.alloc(1_500_000, "tin"), Buffer.from("{}")];
  const files = [
    { name: "a.png", blob: new Blob([large]) },
    { name: "report.json", blob: new Blob([small]) },
  ];
  const zip = Buffer.from(await (await zipOf(files, new Date(2024, 0, 2))).arrayBuffer());
  expect(zip.subarray(35, 35 + large.length).equals(large)).toBe(true);
  const second = 35 + large.length;
  expect([zip.readUInt32LE(second), zip.readUInt32LE(second + 14)]).toEqual([0x04034b50, crc32(small)]);
  expect(zip.readUInt32LE(second + 41 + small.length)).toBe(0x02014b50);
  expect([zip.readUInt16LE(6) & 8, zip.readUInt32LE(14), zip.readUInt32LE(18), zip.readUInt32LE(22)]).toEqual([
    0,
    crc32(large),
    large.length,
    large.length,
  ]);
});
