import fc from "fast-check";
import { expect, test } from "vitest";
import { CodecError } from "../error.ts";
import { type BmpFile, bmpFile } from "../testing/bmp-file.ts";
import { decodeBmp } from "./decode.ts";

const [red, green, blue, white] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];
const four = [red, green, blue, white] as number[][];
const decode = (file: BmpFile) => decodeBmp(bmpFile(file));
const pixels = (file: BmpFile) => [...decode(file).data];
const refusal = (file: BmpFile | Uint8Array) => {
  try {
    decodeBmp(file instanceof Uint8Array ? file : bmpFile(file));
  } catch (problem) {
    return problem instanceof CodecError ? problem.code : problem;
  }
  return "none";
};

test.each([
  { bits: 1, body: [0b01000000, 0, 0, 0] },
  { bits: 2, body: [0b00010000, 0, 0, 0] },
  { bits: 4, body: [0x01, 0, 0, 0] },
  { bits: 8, body: [0, 1, 0, 0] },
])("indices of $bits bits are looked up in the palette", ({ bits, body }) => {
  expect(pixels({ width: 2, height: 1, bits, palette: four.slice(0, 2), body })).toEqual([
    ...(red ?? []),
    ...(green ?? []),
  ]);
});

test("a palette of greys gives a grey picture", () => {
  const palette = [
    [0, 0, 0],
    [7, 7, 7],
  ];
  expect(decode({ width: 2, height: 1, bits: 1, palette, body: [0b01000000, 0, 0, 0] })).toMatchObject({
    channels: 1,
    data: Uint8Array.of(0, 7),
  });
});

test("rows stand from the bottom up, and from the top down where the height is negative", () => {
  const file = { width: 1, height: 2, bits: 24, body: [1, 2, 3, 0, 4, 5, 6, 0] };
  expect(pixels(file)).toEqual([6, 5, 4, 3, 2, 1]);
  expect(pixels({ ...file, height: -2 })).toEqual([3, 2, 1, 6, 5, 4]);
});

test.each([
  { name: "5 bits each, by default", bits: 16, body: [0xff, 0x7f, 0x1f, 0], rgb: [255, 255, 255, 0, 0, 255] },
  {
    name: "5, 6 and 5 bits",
    bits: 16,
    masks: [0xf800, 0x07e0, 0x1f],
    body: [0xe0, 0x07, 0, 0x80],
    rgb: [0, 255, 0, 132, 0, 0],
  },
  { name: "no bits of blue", bits: 16, masks: [0xff00, 0xff, 0], body: [0x80, 0x40, 0, 0], rgb: [64, 128, 0, 0, 0, 0] },
  {
    name: "10 bits each",
    bits: 32,
    masks: [0x3ff00000, 0xffc00, 0x3ff],
    body: [0xff, 3, 0, 0, 0, 0, 0xf0, 0x3f],
    rgb: [0, 0, 255, 255, 0, 0],
  },
  {
    name: "18 bits of green",
    bits: 32,
    masks: [0xfe000000, 0x1ffff80, 0x7f],
    body: [0x80, 0xff, 0xff, 0x01, 0x7f, 0, 0, 0xfe],
    rgb: [0, 255, 0, 255, 0, 255],
  },
])("bit fields of $name run to full strength", ({ bits, masks, body, rgb }) => {
  expect(pixels({ width: 2, height: 1, bits, body, ...(masks ? { masks, compression: 3 } : {}) })).toEqual(rgb);
});

test("the fourth byte of 32 bits is no alpha unless a mask says so", () => {
  const file = { width: 1, height: 1, bits: 32, body: [1, 2, 3, 128] };
  expect(pixels(file)).toEqual([3, 2, 1]);
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  expect(pixels({ ...file, headerSize: 108, compression: 3, masks })).toEqual([3, 2, 1, 128]);
  expect(pixels({ ...file, headerSize: 56, compression: 3, masks })).toEqual([3, 2, 1, 128]);
  expect(pixels({ ...file, headerSize: 40, compression: 6, masks })).toEqual([3, 2, 1, 128]); // ALPHABITFIELDS
  expect(pixels({ ...file, headerSize: 52, compression: 3, masks: masks.slice(0, 3) })).toEqual([3, 2, 1]);
});

test("an alpha channel that is zero everywhere is ignored", () => {
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  const file = {
    width: 2,
    height: 1,
    bits: 32,
    headerSize: 108,
    compression: 3,
    masks,
    body: [1, 2, 3, 0, 4, 5, 6, 0],
  };
  expect(decode(file)).toMatchObject({ channels: 3, data: Uint8Array.of(3, 2, 1, 6, 5, 4) });
});

test("64 bit pixels come out of linear light", () => {
  const body = [0, 0x20, 0, 0x10, 0, 0, 0, 0x10]; // blue 1, green 1/2, red 0, alpha 1/2
  expect(pixels({ width: 1, height: 1, bits: 64, body })).toEqual([0, 188, 255, 128]);
});

test("both of OS/2's headers are read, and a bitmap array's first picture", () => {
  const file = { width: 2, height: 1, bits: 8, palette: four, body: [3, 0, 0, 0] };
  const expected = [...(white ?? []), ...(red ?? [])];
  expect(pixels({ ...file, headerSize: 12 })).toEqual(expected);
  expect(pixels({ ...file, headerSize: 64 })).toEqual(expected);
  expect(pixels({ ...file, headerSize: 16 })).toEqual(expected);
  const inside = bmpFile({ ...file, headerSize: 12 });
  new DataView(inside.buffer).setUint32(10, 14 + 26 + 12, true); // offsets count from the start of the whole file
  const array = Uint8Array.from([0x42, 0x41, ...Array<number>(12).fill(0), ...inside]);
  expect([...decodeBmp(array).data]).toEqual(expected);
});

test("lies about palette and place are not believed", () => {
  const file = { width: 2, height: 1, bits: 8, palette: four, body: [3, 0, 0, 0] };
  const expected = [...(white ?? []), ...(red ?? [])];
  expect(pixels({ ...file, claims: { colours: 0xffffffff } })).toEqual(expected);
  expect(pixels({ ...file, claims: { pixelsOffset: 0 } })).toEqual(expected);
  expect(pixels({ ...file, gap: 100 })).toEqual(expected);
  expect(pixels({ ...file, body: [3, 200, 0, 0] })).toEqual([...(white ?? []), 0, 0, 0]); // an index beyond the palette is black
});

test("run-length codes of 8 bits: runs, literals, line ends, skips", () => {
  const body = [2, 1, 0, 0, 0, 3, 0, 1, 2, 0, 0, 1];
  expect(decode({ width: 3, height: 2, bits: 8, compression: 1, palette: four, body })).toMatchObject({
    channels: 4, // one pixel is skipped
    data: Uint8Array.from(
      [
        [...(four[0] ?? []), 255],
        [...(four[1] ?? []), 255],
        [...(four[2] ?? []), 255],
        [...(four[1] ?? []), 255],
        [...(four[1] ?? []), 255],
        [0, 0, 0, 0],
      ].flat(),
    ),
  });
  const skips = [0, 2, 1, 1, 1, 3, 0, 1];
  expect(pixels({ width: 2, height: 2, bits: 8, compression: 1, palette: four, body: skips })).toEqual([
    0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
});

test("run-length codes of 4 bits: pairs in turn, literals of nibbles, the surplus one cut", () => {
  const body = [4, 0x12, 0, 0, 0, 3, 0x01, 0x20, 0, 1];
  const [a, b, c] = four as [number[], number[], number[]];
  expect(pixels({ width: 3, height: 2, bits: 4, compression: 2, palette: four, body })).toEqual(
    [a, b, c, b, c, b].flat(),
  );
});

test("run-length codes of 24 bits, OS/2's own", () => {
  const body = [2, 1, 2, 3, 0, 0, 0, 3, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 1];
  const file = { width: 3, height: 2, bits: 24, headerSize: 64, compression: 4, body };
  expect(pixels(file)).toEqual([0, 0, 1, 255, 0, 0, 2, 255, 0, 0, 3, 255, 3, 2, 1, 255, 3, 2, 1, 255, 0, 0, 0, 0]);
});

test("a run-length stream without an end mark is whole when its last row is", () => {
  const file = { width: 2, height: 1, bits: 8, compression: 1, palette: four };
  expect(pixels({ ...file, body: [2, 0] })).toEqual([255, 0, 0, 255, 0, 0]);
  expect(refusal({ ...file, body: [1, 0] })).toBe("damaged");
  expect(refusal({ ...file, body: [0, 4, 1] })).toBe("damaged");
});

test("a run-length stream that draws outside is refused", () => {
  const file = { width: 2, height: 1, bits: 8, compression: 1, palette: four };
  expect(refusal({ ...file, body: [2, 0, 0, 0, 1, 0, 0, 1] })).toBe("damaged");
  expect(refusal({ ...file, body: [0, 2, 0, 200, 1, 0, 0, 1] })).toBe("damaged");
});

test("an embedded profile for RGB comes along; one for anything else does not", () => {
  const profile = new Uint8Array(132);
  profile[3] = 132;
  profile.set(new TextEncoder().encode("RGB "), 16);
  profile.set(new TextEncoder().encode("acsp"), 36);
  const file = { width: 1, height: 1, bits: 24, headerSize: 124, body: [1, 2, 3, 0], profile };
  expect(decode(file).profile).toEqual(profile);
  expect(decode({ ...file, profile: profile.map((byte, i) => (i === 16 ? 0x43 : byte)) }).profile).toBeUndefined();
});

test("a nonsensical header is refused before any memory is allocated", () => {
  const file = { width: 2, height: 1, bits: 24, body: [1, 2, 3, 4, 5, 6, 0, 0] };
  expect(refusal({ ...file, width: 60_000, height: 60_000 })).toBe("damaged");
  expect(refusal({ ...file, width: -2 })).toBe("damaged");
  expect(refusal({ ...file, height: 0 })).toBe("damaged");
  expect(refusal({ ...file, bits: 30_000 })).toBe("damaged");
  expect(refusal({ ...file, headerSize: 66 })).toBe("damaged");
  expect(refusal({ ...file, compression: 77 })).toBe("damaged");
  expect(refusal({ ...file, width: 60_000, height: 60_000, bits: 8, compression: 1 })).toBe("damaged");
  expect(refusal({ ...file, headerSize: 64, bits: 1, compression: 3 })).toBe("unsupported"); // Huffman 1D
});

test("a file cut anywhere is refused, except within the padding of its last row", () => {
  const whole = bmpFile({ width: 2, height: 2, bits: 24, body: new Uint8Array(16) });
  for (let length = 0; length < whole.length - 2; length++) expect(refusal(whole.subarray(0, length))).toBe("damaged");
  expect(refusal(whole.subarray(0, whole.length - 2))).toBe("none");
});

test("no bytes make it fail in another way than by a refusal", () => {
  const size = fc.integer({ min: -40, max: 40 });
  const claims = fc.record({ pixelsOffset: fc.nat(400), colours: fc.nat() });
  const file = fc.record({
    width: size,
    height: size,
    bits: fc.constantFrom(0, 1, 2, 4, 8, 16, 24, 32, 64),
    headerSize: fc.constantFrom(12, 16, 40, 52, 56, 64, 108, 124),
    compression: fc.nat(7),
    masks: fc.array(fc.nat(0xffffffff), { maxLength: 4 }),
    body: fc.uint8Array({ maxLength: 2000 }),
    claims,
  });
  fc.assert(
    fc.property(file, (fields) => {
      const { headerSize, masks } = fields;
      const room = headerSize === 40 ? 4 : headerSize === 52 ? 3 : headerSize >= 56 ? 4 : 0;
      const bytes = bmpFile({ ...fields, masks: masks.slice(0, room) });
      try {
        const { width, height, channels, data } = decodeBmp(bytes);
        expect(data.length).toBe(width * height * channels);
      } catch (problem) {
        if (!(problem instanceof CodecError) && !String(problem).includes("has no pixels of its own")) throw problem;
      }
    }),
    { numRuns: 500 },
  );
});
