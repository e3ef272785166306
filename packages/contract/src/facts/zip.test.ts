import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { zipDirectory, zipHeader, zipSize } from "./zip.ts";

const modified = new Date(2024, 6, 9, 12, 34, 56);
const entryOf = (name: string, bytes: Uint8Array) => ({
  name,
  sizeBytes: bytes.length,
  crc32: crc32(bytes),
  modified,
});

test("a ZIP can be read by its local headers alone, and by its directory", () => {
  const files = new Map([
    ["report.json", Buffer.from("{}\n")],
    ["größe 写真.png", Buffer.from([1, 2, 3])],
    ["empty", Buffer.alloc(0)],
  ]);
  const entries = [...files].map(([name, bytes]) => entryOf(name, bytes));
  const pieces = entries.flatMap((entry) => [zipHeader(entry), files.get(entry.name) ?? new Uint8Array()]);
  const zip = Buffer.concat([...pieces, ...zipDirectory(entries)]);
  expect(zip.length).toBe(zipSize(entries));
  let at = 0;
  const offsets: number[] = [];
  for (const { name, sizeBytes, crc32: checksum } of entries) {
    expect(zip.readUInt32LE(at)).toBe(0x04034b50);
    expect(zip.readUInt16LE(at + 6) & 8, "no data descriptor").toBe(0);
    expect([zip.readUInt32LE(at + 14), zip.readUInt32LE(at + 18), zip.readUInt32LE(at + 22)]).toEqual([
      checksum,
      sizeBytes,
      sizeBytes,
    ]);
    const from = at + 30 + Buffer.byteLength(name);
    expect(zip.subarray(at + 30, from).toString()).toBe(name);
    expect(zip.subarray(from, from + sizeBytes)).toEqual(files.get(name));
    offsets.push(at);
    at = from + sizeBytes;
  }
  const end = zip.subarray(-22);
  expect([end.readUInt32LE(0), end.readUInt16LE(10), end.readUInt32LE(16)]).toEqual([0x06054b50, files.size, at]);
  for (const { name } of entries) {
    expect([zip.readUInt32LE(at), zip.readUInt32LE(at + 42)]).toEqual([0x02014b50, offsets.shift()]);
    at += 46 + Buffer.byteLength(name);
  }
  expect(at).toBe(zip.length - 22);
});

test("beyond 4 GiB, and beyond 65,534 files, ZIP64 has the positions", () => {
  const large = [1, 2, 3].map((n) => ({ name: `${n}`, sizeBytes: 3e9, crc32: n, modified }));
  const pieces = zipDirectory(large);
  const directory = Buffer.concat(pieces);
  const total = large.reduce((sum, { sizeBytes }) => sum + 30 + 1 + sizeBytes, 0);
  expect(zipSize(large)).toBe(total + directory.length);
  const third = Buffer.from(pieces[2] ?? []);
  expect(third.readUInt32LE(42)).toBe(0xffff_ffff);
  expect(third.readBigUInt64LE(47 + 4)).toBe(2n * (3_000_000_000n + 31n));
  expect(directory.readUInt32LE(directory.length - 22 - 76)).toBe(0x06064b50);
  expect(directory.readBigUInt64LE(directory.length - 22 - 76 + 48)).toBe(BigInt(total));
  const many = Array.from({ length: 65_535 }, (_, i) => ({ name: `${i}`, sizeBytes: 0, crc32: 0, modified }));
  const end = Buffer.concat(zipDirectory(many)).subarray(-98);
  expect(end.readBigUInt64LE(24)).toBe(65_535n);
});

test("a file of 4 GiB is refused, since its header has no room for the size", () => {
  expect(() => zipHeader({ name: "a", sizeBytes: 2 ** 32, crc32: 0, modified })).toThrow(RangeError);
});
