import { expect, test } from "vitest";
import { box, readBoxes } from "./boxes.ts";
import { readItems } from "./items.ts";

const read = (...inside: Uint8Array[]) => {
  const item = box("infe", Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from("av01\0"));
  const meta = box("meta", Buffer.alloc(4), box("iinf", Buffer.from([0, 0, 0, 0, 0, 1]), item), ...inside);
  return readItems(meta, readBoxes(meta, 0, meta.length));
};

test("hundreds of thousands of references of one item are read in time", () => {
  const reference = box("dimg", Buffer.from([0, 1, 0, 1, 0, 1]));
  const started = performance.now();
  const { items } = read(box("iref", Buffer.alloc(4), Buffer.concat(Array<Buffer>(300_000).fill(reference))));
  expect(items.get(1)?.references.get("dimg")).toHaveLength(300_000);
  expect(performance.now() - started).toBeLessThan(5000);
});

test("extents that take no bytes are not counted up to billions", () => {
  // Sizes of offset, length and base are 0; each item claims 65,535 extents.
  const location = Buffer.from([0, 1, 0, 0, 0xff, 0xff]);
  const many = Buffer.concat(Array<Buffer>(10_000).fill(location));
  expect(() => read(box("iloc", Buffer.from([0, 0, 0, 0, 0, 0, 0x27, 0x10]), many))).toThrow(RangeError);
});
