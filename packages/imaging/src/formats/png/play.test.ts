import sharp from "sharp";
import { expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { pngChunk, pngChunks, pngSignature } from "./container.ts";

type Colour = readonly [red: number, green: number, blue: number, alpha: number];
type Frame = {
  left: number;
  top: number;
  side: number;
  colour: Colour;
  dispose?: 0 | 1 | 2;
  blend?: 0 | 1;
  delay?: readonly [number, number];
};
const side = 16;
const [red, green, half, nothing] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 128],
  [0, 0, 0, 0],
] as const;

const pixels = (colour: Colour, length: number) => Buffer.from(Array.from({ length }, () => colour).flat());
async function coded(colour: Colour, length: number): Promise<Uint8Array> {
  const raw = { width: length, height: length, channels: 4 } as const;
  const png = await sharp(pixels(colour, length * length), { raw })
    .png()
    .toBuffer();
  return Buffer.concat([...pngChunks(png)].filter(({ type }) => type === "IDAT").map(({ data }) => data));
}

/** An APNG. With `standIn`, the default image has that colour and is not a frame. */
async function apng(frames: Frame[], standIn?: Colour): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.set([8, 6], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length);
  control.writeUInt32BE(3, 4);
  const parts: Uint8Array[] = [pngSignature, pngChunk("IHDR", header), pngChunk("acTL", control)];
  if (standIn) parts.push(pngChunk("IDAT", await coded(standIn, side)));
  let sequence = 0;
  for (const [i, { left, top, side: length, colour, dispose = 0, blend = 0, delay = [1, 10] }] of frames.entries()) {
    const data = Buffer.alloc(26);
    for (const [at, value] of [sequence++, length, length, left, top].entries()) data.writeUInt32BE(value, at * 4);
    data.writeUInt16BE(delay[0], 20);
    data.writeUInt16BE(delay[1], 22);
    data.set([dispose, blend], 24);
    parts.push(pngChunk("fcTL", data));
    const rows = await coded(colour, length);
    if (i === 0 && !standIn) parts.push(pngChunk("IDAT", rows));
    else {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++);
      parts.push(pngChunk("fdAT", Buffer.concat([number, rows])));
    }
  }
  return Buffer.concat([...parts, pngChunk("IEND", Buffer.alloc(0))]);
}

const whole = (colour: Colour, more: Partial<Frame> = {}): Frame => ({ left: 0, top: 0, side, colour, ...more });

/** The colours of each frame at (2, 2) and (10, 10). */
async function framesOf(bytes: Uint8Array) {
  const webp = (await runOperation(convert, { bytes, options: { target_format: "webp", quality: 100 } })).result;
  const image = sharp(webp, { animated: true });
  const { pages = 1, loop, delay, pageHeight = side } = await image.metadata();
  const data = await image.ensureAlpha().raw().toBuffer();
  const at = (page: number, place: number) => {
    const start = ((page * pageHeight + place) * side + place) * 4;
    return data[start + 3] === 0 ? nothing : [...data.subarray(start, start + 4)];
  };
  return { shown: Array.from({ length: pages }, (_, page) => [at(page, 2), at(page, 10)]), loop, delay };
}

test("frames are placed, blended and taken away as in browsers, with their times and repeats", async () => {
  const frames: Frame[] = [
    whole(red, { dispose: 2, delay: [1, 20] }),
    { left: 8, top: 8, side: 8, colour: green, dispose: 1, delay: [3, 0] },
    { left: 0, top: 0, side: 4, colour: red, dispose: 2, delay: [250, 1000] },
    { left: 0, top: 0, side: 4, colour: half, blend: 1 },
    whole(red, { blend: 0 }),
    whole(half, { blend: 1 }),
  ];
  const { shown, loop, delay } = await framesOf(await apng(frames));
  expect(shown).toEqual([
    [red, red],
    [nothing, green],
    [red, nothing],
    [[0, 0, 255, 128], nothing],
    [red, red],
    [
      [127, 0, 128, 255],
      [127, 0, 128, 255],
    ],
  ]);
  expect([loop, delay]).toEqual([3, [50, 30, 250, 100, 100, 100]]);
});

test("a default image that is no frame is not shown", async () => {
  expect((await framesOf(await apng([whole(green), whole(red)], half))).shown).toEqual([
    [green, green],
    [red, red],
  ]);
  expect((await framesOf(await apng([whole(green)], half))).shown).toEqual([[green, green]]);
});

const three = () => apng([whole(red), { left: 8, top: 8, side: 8, colour: green }, whole(half)]);

test.each([60, 100])("compress at %i keeps every frame, and never makes it larger", async (quality) => {
  const bytes = await three();
  const { outcome, result } = await runOperation(compress, { bytes, options: { quality } });
  expect(outcome).toMatchObject({ result: { format: "png", width: side, height: side } });
  expect(result.length).toBeLessThanOrEqual(bytes.length);
  expect(await framesOf(result)).toEqual(await framesOf(bytes));
  expect((await runOperation(compress, { bytes: result, options: { quality } })).result.equals(result)).toBe(true);
});

test("resize keeps it moving", async () => {
  const { outcome, result } = await runOperation(resize, {
    bytes: await three(),
    options: { width: 8, method: "fit" },
  });
  expect(outcome).toMatchObject({ result: { format: "png", width: 8, height: 8 }, notes: [] });
  expect([...pngChunks(result)].filter(({ type }) => type === "fcTL")).toHaveLength(3);
});

test.each(["gif", "webp"] as const)(
  "a moving %s becomes an animated PNG of the same frames, times and repeats",
  async (from) => {
    const source = (
      await runOperation(convert, {
        bytes: await apng([whole(red), whole(green), whole(red)]),
        options: { target_format: from, quality: 100 },
      })
    ).result;
    const { outcome, result } = await runOperation(convert, { bytes: source, options: { target_format: "png" } });
    expect(outcome).toMatchObject({ result: { format: "png", width: side, height: side }, notes: [] });
    expect(await framesOf(result)).toEqual(await framesOf(source));
  },
);

test("a still format takes the first frame, and says so", async () => {
  const { outcome } = await runOperation(convert, { bytes: await three(), options: { target_format: "jpeg" } });
  expect(outcome).toMatchObject({
    notes: expect.arrayContaining([{ code: "animation-lost", frames: 3, format: "jpeg" }]),
  });
});

test.each(["a frame outside", "no pixels", "damaged pixels"])("%s is damage", async (kind) => {
  const frame = { left: kind === "a frame outside" ? 12 : 0, top: 0, side: 8, colour: green };
  const bytes = await apng([whole(red), frame]);
  const at = bytes.indexOf("fdAT");
  if (kind === "no pixels") bytes.write("fzAT", at, "latin1");
  if (kind === "damaged pixels") bytes.fill(0x55, at + 10, at + 16);
  await expect(runOperation(convert, { bytes, options: { target_format: "webp" } })).rejects.toMatchObject({
    code: "broken-image",
  });
});
