import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskOptions } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { createImaging } from "../../imaging.ts";
import { ultraHdr } from "../../testing/carrier-pictures.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { crop } from "../crop.ts";
import { resize } from "../resize.ts";

type Written = Partial<TaskOptions<"resize">>;

const parsed = (options: Written) => ({ method: "fill", ...options });
const red = [200, 30, 30];
const plain = (width: number, height: number, colour = red): Sharp =>
  sharp(Buffer.from(Array.from({ length: width * height }, () => colour).flat()), {
    raw: { width, height, channels: colour.length as 1 | 2 | 3 | 4 },
  });

async function resized(image: Sharp | Buffer, options: Written) {
  const bytes = Buffer.isBuffer(image) ? image : await image.png().toBuffer();
  const { outcome, result } = await runOperation(resize, { bytes, options: parsed(options) });
  const notes = outcome.kind === "done" ? outcome.notes : [];
  const { data, info } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels),
  ];
  return { result, notes, info, at, size: [info.width, info.height] };
}

const white = [255, 255, 255];

// product: canvas-exact
test.each([
  { position: "centre", corner: [20, 35] },
  { position: "north", corner: [20, 10] },
  { position: "northeast", corner: [30, 10] },
  { position: "east", corner: [30, 35] },
  { position: "southeast", corner: [30, 60] },
  { position: "south", corner: [20, 60] },
  { position: "southwest", corner: [10, 60] },
  { position: "west", corner: [10, 35] },
  { position: "northwest", corner: [10, 10] },
] as const)("the result has exactly the box, and the picture stands at its $position", async ({ position, corner }) => {
  const [left = 0, top = 0] = corner;
  const options = { width: 100, height: 100, method: "fit" as const, canvas: "#ffffff", padding: "10", position };
  const { at, size } = await resized(plain(60, 30), options);
  expect(size).toEqual([100, 100]);
  for (let y = 0; y < 100; y += 1)
    for (let x = 0; x < 100; x += 1) {
      const isInside = x >= left && x < left + 60 && y >= top && y < top + 30;
      if (at(x, y).some((value, i) => value !== (isInside ? red : white)[i]))
        throw new Error(`${x}, ${y} is ${at(x, y)}`);
    }
});

test("a larger picture is reduced to what the padding leaves, a smaller one is enlarged only if that is allowed", async () => {
  const box = { width: 200, height: 100, method: "fit" as const, canvas: "#0000ff", padding: "10%" };
  const large = await resized(plain(400, 400), box);
  expect(large.size).toEqual([200, 100]);
  expect([large.at(59, 50), large.at(60, 10), large.at(139, 89), large.at(140, 50)]).toEqual([
    [0, 0, 255],
    red,
    red,
    [0, 0, 255],
  ]);
  const small = await resized(plain(40, 40), box);
  expect([small.at(79, 50), small.at(80, 30), small.at(119, 69), small.at(120, 50)]).toEqual([
    [0, 0, 255],
    red,
    red,
    [0, 0, 255],
  ]);
  // The picture's size, not the canvas's.
  expect(small.notes).toContainEqual({ code: "not-enlarged", width: 40, height: 40 });
  const enlarged = await resized(plain(40, 40), { ...box, enlarge: true });
  expect([enlarged.at(59, 50), enlarged.at(60, 10)]).toEqual([[0, 0, 255], red]);
});

const onto = (canvas: string) => ({ width: 30, height: 10, method: "fit" as const, canvas });
const middle = [15, 5] as const;

test("transparent areas show the canvas, and a transparent canvas adds them", async () => {
  const half = await resized(plain(10, 10, [...red, 0]), onto("#0000ff"));
  expect([half.at(...middle), half.at(0, 0)]).toEqual([
    [0, 0, 255],
    [0, 0, 255],
  ]);
  const opaque = await resized(plain(10, 10), onto("transparent"));
  expect([opaque.at(...middle), opaque.at(0, 0)]).toEqual([
    [...red, 255],
    [0, 0, 0, 0],
  ]);
  const kept = await resized(plain(10, 10, [...red, 128]), onto("transparent"));
  expect(kept.at(...middle)).toEqual([...red, 128]);
});

test("a format without transparency has a white canvas, and says so", async () => {
  const { at, notes, result } = await resized(plain(10, 10), { ...onto("transparent"), target_format: "jpeg" });
  expect((await sharp(result).metadata()).format).toBe("jpeg");
  expect(at(0, 0)).toEqual(white);
  expect(notes).toEqual([{ code: "transparency-lost", format: "jpeg" }]);
});

test("a grey picture stays grey on white, and has the colour of a coloured canvas", async () => {
  const grey = plain(10, 10, [90]).toColourspace("b-w");
  const neutral = await resized(await grey.clone().png().toBuffer(), onto("#cccccc"));
  expect((await sharp(neutral.result).metadata()).channels).toBe(1);
  expect([neutral.at(...middle)[0], neutral.at(0, 0)[0]]).toEqual([90, 204]);
  const coloured = await resized(await grey.clone().png().toBuffer(), onto("#ff8000"));
  expect([coloured.at(...middle), coloured.at(0, 0)]).toEqual([
    [90, 90, 90],
    [255, 128, 0],
  ]);
});

test("16 bits and a profile stay on white, whose samples are full; a coloured canvas makes both sRGB", async () => {
  const deep = await plain(10, 10).toColourspace("rgb16").withIccProfile("p3").png().toBuffer();
  const onWhite = await resized(deep, onto("#ffffff"));
  const facts = await sharp(onWhite.result).metadata();
  expect(facts).toMatchObject({ depth: "ushort", width: 30, height: 10 });
  expect(facts.icc).toBeDefined();
  const { data } = await sharp(onWhite.result)
    .keepIccProfile()
    .toColourspace("rgb16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  expect([...new Uint16Array(data.buffer, data.byteOffset, 3)]).toEqual([65_535, 65_535, 65_535]);
  const onOrange = await resized(deep, onto("#ff8000"));
  expect(await sharp(onOrange.result).metadata()).toMatchObject({ depth: "uchar", hasProfile: false });
  expect(onOrange.at(0, 0)).toEqual([255, 128, 0]);
  expect(onOrange.notes).toEqual([{ code: "colours-converted-for-canvas" }]);
});

test("blur fills the canvas with the picture itself, softly and opaquely", async () => {
  const halves = await plain(100, 200)
    .composite([{ input: await plain(100, 100, [20, 20, 220]).png().toBuffer(), left: 0, top: 100 }])
    .png()
    .toBuffer();
  const { at, size } = await resized(halves, { width: 400, height: 200, method: "fit" as const, canvas: "blur" });
  expect(size).toEqual([400, 200]);
  expect(at(200, 20)).toEqual(red);
  const near = (found: number[], colour: number[]) =>
    expect(Math.max(...found.map((value, i) => Math.abs(value - (colour[i] ?? 0))))).toBeLessThan(12);
  near(at(10, 5), red);
  near(at(390, 195), [20, 20, 220]);
  let last = at(50, 40)[0] ?? 0;
  // From red to blue without a step.
  for (let y = 41; y < 160; y += 1) {
    const value = at(50, y)[0] ?? 0;
    expect(value).toBeLessThanOrEqual(last);
    expect(last - value).toBeLessThan(12);
    last = value;
  }
});

test("every frame of an animation stands on the canvas, for its own time", async () => {
  const frames = Buffer.concat(
    [red, [30, 200, 30], [30, 30, 200]].map((colour) => Buffer.from(Array.from({ length: 400 }, () => colour).flat())),
  );
  const gif = await sharp(frames, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
    .gif({ delay: [100, 200, 300] })
    .toBuffer();
  for (const canvas of ["#ffffff", "transparent", "blur"]) {
    const bytes = (await resized(gif, { width: 60, height: 30, method: "fit" as const, canvas })).result;
    const facts = await sharp(bytes, { animated: true }).metadata();
    expect(facts).toMatchObject({ pages: 3, width: 60, pageHeight: 30, delay: [100, 200, 300] });
    const { data, info } = await sharp(bytes, { animated: true })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
    for (const [page, channel] of [0, 1, 2].entries()) {
      expect(at(30, page * 30 + 15)[channel]).toBeGreaterThan(150);
      if (canvas === "#ffffff") expect(at(2, page * 30 + 2)).toEqual([...white, 255]);
      if (canvas === "transparent") expect(at(2, page * 30 + 2)[3]).toBe(0);
      if (canvas === "blur") expect(at(2, page * 30 + 2)[0]).toBeGreaterThan(150);
    }
  }
});

test("a drawing is drawn at its place, sharp", async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><path d="M0 0h10v10H0z" fill="#c81e1e"/></svg>',
  );
  const box = { width: 90, height: 60, method: "fit" as const, target_format: "png" as const };
  const onWhite = await resized(svg, { ...box, canvas: "#ffffff", position: "west" });
  expect([onWhite.at(0, 0).slice(0, 3), onWhite.at(59, 30).slice(0, 3), onWhite.at(60, 30).slice(0, 3)]).toEqual([
    red,
    red,
    white,
  ]);
  const cleared = await resized(svg, { ...box, canvas: "transparent" });
  expect([cleared.at(45, 30), cleared.at(0, 0)[3]]).toEqual([[...red, 255], 0]);
});

test("an HDR part does not fit a canvas, and its loss is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvas-"));
  try {
    const paths = { inputPath: join(folder, "in"), outputPath: join(folder, "out") };
    await writeFile(paths.inputPath, await ultraHdr({}));
    const limits = { megapixelsIn: 25, megapixelsOut: 25 };
    const running = { signal: new AbortController().signal, progress: () => {} };
    const run = async (options: Written) =>
      (await createImaging().run({ name: "resize", options: parsed(options), ...paths, limits }, running)).notes;
    const size = { width: 200, height: 200, method: "fit" as const };
    expect(await run(size)).toContainEqual({ code: "gain-map-kept" });
    expect(await run({ ...size, canvas: "#ffffff" })).toContainEqual({ code: "gain-map-left-out" });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a padding that leaves no room is refused", async () => {
  const options = { width: 20, height: 100, method: "fit" as const, canvas: "#ffffff", padding: "10" };
  await expect(resized(plain(10, 10), options)).rejects.toMatchObject({
    code: "cannot-process",
    field: "padding",
    reason: { code: "no-room-in-padding" },
  });
});

/** Green, with a red spot at the left and a blue one at the right. */
const spots = async () =>
  plain(300, 100, [60, 120, 60])
    .composite([
      { input: await plain(100, 100, red).png().toBuffer(), left: 0, top: 0 },
      { input: await plain(100, 100, [30, 30, 200]).png().toBuffer(), left: 200, top: 0 },
    ])
    .removeAlpha()
    .png()
    .toBuffer();

// product: gravity-keeps
test.each([
  { gravity: "west", shown: red },
  { gravity: "centre", shown: [60, 120, 60] },
  { gravity: "east", shown: [30, 30, 200] },
  { gravity: "northwest", shown: red },
  { gravity: "southeast", shown: [30, 30, 200] },
] as const)("fill and crop keep the $gravity", async ({ gravity, shown }) => {
  const filled = await resized(await spots(), { width: 50, height: 50, gravity });
  expect(filled.at(25, 25)).toEqual(shown);
  const { result } = await runOperation(crop, {
    bytes: await spots(),
    options: { ratio: "1:1", gravity },
  });
  const { data, info } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, ...data.subarray(0, 3)]).toEqual([100, 100, ...shown]);
});

/** A plain wall with a face-coloured, detailed thing at one side. */
async function wallWith({ left }: { left: number }): Promise<Buffer> {
  const thing = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><circle cx="150" cy="150" r="140" fill="#d9a07e"/>
    <circle cx="100" cy="120" r="18"/><circle cx="200" cy="120" r="18"/><path d="M90 200q60 60 120 0z" fill="#a02020"/></svg>`,
  );
  const wall = sharp({ create: { width: 1200, height: 400, channels: 3, background: "#b9bec4" } });
  return wall
    .composite([{ input: thing, left, top: 50 }])
    .jpeg()
    .toBuffer();
}

test.each([0, 450, 900])("smart keeps what draws the eye, which begins at %i px", async (left) => {
  const bytes = await wallWith({ left });
  const isSeen = async (result: Buffer) => {
    const { data, info } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
    let [first, last] = [info.width, 0];
    for (let x = 0; x < info.width; x += 1) {
      const at = (Math.floor(info.height / 2) * info.width + x) * 3;
      const isSkin = (data[at] ?? 0) - (data[at + 2] ?? 0) > 60;
      if (isSkin) [first, last] = [Math.min(first, x), Math.max(last, x)];
    }
    return (last - first) / info.height;
  };
  const { result } = await resized(bytes, { width: 200, height: 200, gravity: "smart" });
  expect(await isSeen(result)).toBeGreaterThan(0.65);
  const cropped = await runOperation(crop, {
    bytes,
    options: { ratio: "1:1", gravity: "smart" },
  });
  expect(await isSeen(cropped.result)).toBeGreaterThan(0.65);
});
