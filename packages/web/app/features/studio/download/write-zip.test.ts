import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { uniqueNames } from "./unique-names.ts";
import { writeZip } from "./write-zip.ts";

/** Reads a ZIP by its directory, as APPNOTE 4.3 says, checking each entry's own header against it. */
async function readZip(zip: Blob) {
  const bytes = Buffer.from(await zip.arrayBuffer());
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  expect(at + bytes.readUInt32LE(end + 12)).toBe(end);
  return Array.from({ length: count }, () => {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [nameLength, place] = [bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)];
    const [crc, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 24)];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    expect(bytes.readUInt32LE(place)).toBe(0x04034b50);
    expect(bytes.subarray(place + 6, place + 28)).toEqual(bytes.subarray(at + 8, at + 30));
    const data = bytes.subarray(place + 30 + nameLength, place + 30 + nameLength + size);
    expect(crc32(data)).toBe(crc);
    at += 46 + nameLength;
    return { name, data: data.toString("latin1"), isUtf8: (bytes.readUInt16LE(place + 6) & 0x0800) !== 0 };
  });
}

test("a ZIP holds every file whole, by its name, with the right checksum", async () => {
  const long = "x".repeat(300_000);
  const zip = await writeZip(
    [
      { name: "Größe 12″.png", blob: new Blob(["one"]) },
      { name: "empty", blob: new Blob([]) },
      { name: "long.bin", blob: new Blob([long]) },
    ],
    new Date(2026, 0, 2, 3, 4, 6),
  );
  expect(zip.type).toBe("application/zip");
  expect(await readZip(zip)).toEqual([
    { name: "Größe 12″.png", data: "one", isUtf8: true },
    { name: "empty", data: "", isUtf8: true },
    { name: "long.bin", data: long, isUtf8: true },
  ]);
});

test("equal names are numbered before their ending, whatever their case", () => {
  expect(uniqueNames(["a.png", "A.png", "a.png", "a (2).png", "a", "a"])).toEqual([
    "a.png",
    "A (2).png",
    "a (3).png",
    "a (2) (2).png",
    "a",
    "a (2)",
  ]);
});
