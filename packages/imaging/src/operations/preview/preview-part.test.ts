import sharp from "sharp";
import { expect, test } from "vitest";
import { draw, drawPhoto, drawScreen } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { formatModules } from "../../formats/registry.ts";
import { asDecodedPicture } from "../../raster/decoded-picture.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { convert } from "../convert.ts";
import { crop } from "../crop.ts";
import { preview } from "../preview.ts";
import { turn } from "../turn.ts";

const size = { width: 1600, height: 1200 };
const screen = drawScreen(size);
const isWritten = (x: number, y: number) => x < 530 && y % 400 > 260;
/** A mostly empty interface: the samples contain far more or far less of its text than the picture as a whole. */
const halfEmpty = draw(size, 3, (x, y) =>
  isWritten(x, y) ? [...screen.data.subarray((y * size.width + x) * 3, (y * size.width + x) * 3 + 3)] : [250, 250, 250],
);

test.each([
  ["jpeg", 75],
  ["jpeg", 90],
  ["avif", 60],
  ["avif", 85],
] as const)(
  "the estimate of a half empty interface as %s at %i is near the bytes of the result",
  async (format, quality) => {
    const picture = asDecodedPicture(halfEmpty);
    const bytes = await picture.open().tiff({ compression: "none" }).toBuffer();
    const request = { operation: "convert", options: { target_format: format, quality } };
    const { outcome } = await runOperation(preview, { bytes, options: { request, part: 256 } });
    const estimated = outcome.kind === "done" ? (outcome.result.estimate?.sizeBytes ?? 0) : 0;
    const { bytes: written } = await formatModules[format].encode(picture.open(), { quality, minimizeBytes: true });
    expect(Math.abs(estimated / written.length - 1)).toBeLessThan(0.3);
  },
);

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#888" } })
    .png()
    .toBuffer();
const asJpeg = { operation: "convert", options: { target_format: "jpeg", quality: 75 } };

// product: preview-bounded
test.each([
  { of: [512, 512], shown: [362, 362] },
  { of: [300, 120], shown: [212, 85] },
  { of: [1600, 1200], shown: [1024, 768] },
  { of: [1000, 800], shown: [707, 566] },
  { of: [24, 24], shown: [16, 16] },
  { of: [10, 10], shown: [10, 10] },
])(
  "all of $of px is shown at $shown px, of a result as of a picture",
  async ({ of: [width = 0, height = 0], shown }) => {
    const bytes = await blank(width, height);
    for (const options of [{ side: 1024 }, { side: 1024, request: asJpeg, whole: true }]) {
      const { outcome, result } = await runOperation(preview, { bytes, options });
      const { width, height } = await sharp(result).metadata();
      expect([width, height]).toEqual(shown);
      expect(outcome).not.toHaveProperty("sourceRegion");
    }
  },
);

// product: preview-of-a-part
test.each([
  { of: [1600, 1200], part: 512, shown: [512, 512], region: [544, 336, 512, 512] },
  { of: [512, 512], part: 512, shown: [352, 352], region: [80, 80, 352, 352] },
  { of: [300, 120], part: 512, shown: [142, 120], region: [64, 0, 142, 120] },
  { of: [300, 120], part: 64, shown: [64, 64], region: [112, 16, 64, 64] },
  { of: [4000, 20], part: 512, shown: [512, 20], region: [1744, 0, 512, 20] },
  { of: [16, 16], part: 16, shown: [11, 11], region: [0, 0, 11, 11] },
  { of: [2, 1], part: 16, shown: [1, 1], region: [0, 0, 1, 1] },
  { of: [1, 1], part: 16, shown: [1, 1], region: [0, 0, 1, 1] },
])(
  "a part of $of px is $shown px, at most half of it",
  async ({ of: [width = 0, height = 0], part, shown, region }) => {
    const options = { request: asJpeg, part };
    const { outcome, result } = await runOperation(preview, { bytes: await blank(width, height), options });
    const seen = await sharp(result).metadata();
    expect([seen.width, seen.height]).toEqual(shown);
    const [left, top, across, down] = region;
    expect(outcome).toMatchObject({
      sourceRegion: { left, top, width: across, height: down, picture: { width, height } },
    });
  },
);

/** A picture whose red and green are the place of each pixel. */
const places = draw({ width: 250, height: 200 }, 3, (x, y) => [x, y, 128]);
const turnBy = (options: object) => ({ operation: "turn", options });
const asPng = { operation: "convert", options: { target_format: "png" } };

test.each<[string, { frame: readonly object[]; request?: object; tolerance?: number }]>([
  ["not framed", { frame: [] }],
  ["turned by 90 degrees", { frame: [turnBy({ degrees: 90 })] }],
  ["turned by 180 degrees", { frame: [turnBy({ degrees: 180 })] }],
  ["turned by 270 degrees", { frame: [turnBy({ degrees: 270 })] }],
  ["mirrored", { frame: [turnBy({ flip: "horizontal" })] }],
  [
    "turned, mirrored and cropped",
    {
      frame: [
        turnBy({ degrees: 90, flip: "vertical" }),
        { operation: "crop", options: { left: 20, top: 10, width: 150, height: 180 } },
      ],
    },
  ],
  ["straightened", { frame: [{ operation: "crop", options: { straighten: 20, ratio: "1:1" } }], tolerance: 3 }],
  ["reduced", { frame: [], request: { operation: "resize", options: { width: 150, method: "fit" } }, tolerance: 3 }],
  [
    "turned and enlarged by a fill",
    {
      frame: [turnBy({ degrees: 270 })],
      request: { operation: "resize", options: { width: 300, height: 100, method: "fill" } },
      tolerance: 3,
    },
  ],
])("the region of the source is exactly what a part shows of a picture that is %s", async (_, asked) => {
  const { frame, request = asPng, tolerance = 0 } = asked;
  const bytes = await asDecodedPicture(places).open().tiff({ compression: "none" }).toBuffer();
  const options = { request, frame, part: 32, left: 50, top: 38 };
  const { outcome, result } = await runOperation(preview, { bytes, options });
  const shown = await sharp(result).removeAlpha().raw().toBuffer();
  expect(shown.length).toBe(32 * 32 * 3);
  const along = (channel: 0 | 1) => {
    const seen = shown.filter((_, at) => at % 3 === channel);
    return { first: Math.min(...seen), last: Math.max(...seen) };
  };
  if (outcome.kind !== "done" || !outcome.sourceRegion) throw new Error("a part has a region");
  const { left, top, width, height, picture } = outcome.sourceRegion;
  expect(picture).toEqual({ width: 250, height: 200 });
  const differences = [
    left - along(0).first,
    left + width - 1 - along(0).last,
    top - along(1).first,
    top + height - 1 - along(1).last,
  ];
  expect(Math.max(...differences.map(Math.abs))).toBeLessThanOrEqual(tolerance);
});

test.each([
  ["webp", 98],
  ["avif", 90],
  ["png", 77],
] as const)(
  "of a small gradient as %s at %i the estimate is the size of the result",
  async (target_format, quality) => {
    const gradient = draw({ width: 120, height: 90 }, 3, (x, y) => [2 * x, 2 * y, 128]);
    const bytes = await asDecodedPicture(gradient).open().tiff().toBuffer();
    const converted = await runOperation(convert, { bytes, options: { target_format, quality } });
    const request = { operation: "convert", options: { target_format, quality } };
    const { outcome } = await runOperation(preview, { bytes, options: { request, part: 256 } });
    expect(outcome).toMatchObject({ result: { estimate: { sizeBytes: converted.result.length } } });
  },
);

test("all of a result is shown reduced, and looks as it will", async () => {
  const bytes = await asDecodedPicture(screen).open().png().toBuffer();
  const pixels = (file: Uint8Array) => sharp(file).resize(800, 600).removeAlpha().raw().toBuffer();
  const original = await pixels(bytes);
  const differenceOf = async (options: object) => {
    const request = { operation: "convert", options };
    const { outcome, result } = await runOperation(preview, { bytes, options: { request, whole: true, side: 800 } });
    expect(outcome).toMatchObject({
      kind: "done",
      result: { format: "webp", width: 800, height: 600, estimate: { left: 0, top: 0, width: 1600, height: 1200 } },
    });
    const shown = await pixels(result);
    return shown.reduce((sum, value, at) => sum + Math.abs(value - (original[at] as number)), 0) / shown.length;
  };
  const exact = await differenceOf({ target_format: "bmp" });
  const fine = await differenceOf({ target_format: "avif", quality: 90 });
  const coarse = await differenceOf({ target_format: "jpeg", quality: 5 });
  expect(fine).toBeLessThan(1.2 * exact);
  expect(coarse).toBeGreaterThan(1.5 * exact);
});

test.each([
  [
    "turned and cropped",
    [
      { operation: "turn", options: { degrees: 90 } },
      { operation: "crop", options: { left: 100, top: 200, width: 640, height: 480 } },
    ],
  ],
  ["straightened", [{ operation: "crop", options: { straighten: 4 } }]],
] as const)("a picture is shown as its frame leaves it, %s", async (_, frame) => {
  const bytes = await asDecodedPicture(drawPhoto(size)).open().png().toBuffer();
  const request = { operation: "convert", options: { target_format: "jpeg", quality: 90 } };
  const options = { request, frame, whole: true, side: 1024 };
  const { outcome, result } = await runOperation(preview, { bytes, options });
  let framed: Uint8Array = bytes;
  for (const { operation, options: own } of frame)
    framed = (await runOperation(operation === "turn" ? turn : crop, { bytes: framed, options: own })).result;
  const { width = 0, height = 0 } = await sharp(framed).metadata();
  expect(outcome).toMatchObject({ kind: "done", result: { estimate: { left: 0, top: 0, width, height } } });
  const pixels = (file: Uint8Array) => sharp(file).resize(400, 300, { fit: "fill" }).removeAlpha().raw().toBuffer();
  const [shown, expected] = [await pixels(result), await pixels(framed)];
  const difference = shown.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] as number)), 0);
  expect(difference / shown.length).toBeLessThan(4);
});

test("a framed picture is written anew in its own format, and never comes back as it was", async () => {
  const bytes = await asDecodedPicture(halfEmpty).open().jpeg({ quality: 10 }).toBuffer();
  const frame = [{ operation: "turn", options: { flip: "horizontal" } }];
  const estimate = async (request: object, more: object = {}) => {
    const { outcome } = await runOperation(preview, { bytes, options: { request, part: 64, ...more } });
    return outcome.kind === "done" ? outcome.result.estimate?.sizeBytes : undefined;
  };
  const finest = { operation: "compress", options: { quality: 95 } };
  expect(await estimate(finest)).toBe(bytes.length);
  expect(await estimate(finest, { frame })).toBeGreaterThan(bytes.length);
  const same = { operation: "convert", options: { target_format: "jpeg" } };
  await expect(estimate(same)).rejects.toThrow("Source format is the same");
  expect(await estimate(same, { frame })).toBeGreaterThan(0);
});

test("a picture above the bound is refused by its header, before a crop makes a small one of it", async () => {
  const bytes = await sharp({ create: { width: 8000, height: 7000, channels: 3, background: "#888" } })
    .png()
    .toBuffer();
  const request = { operation: "convert", options: { target_format: "webp" } };
  const frame = [{ operation: "crop", options: { left: 0, top: 0, width: 64, height: 64 } }];
  const limits = { megapixelsIn: 200, megapixelsOut: 200 };
  const asked = (one: Uint8Array) =>
    runOperation(preview, { bytes: one, options: { request, frame, part: 64 }, limits });
  await expect(asked(bytes)).rejects.toMatchObject({ code: "too-many-pixels" });
  const within = await sharp(bytes).resize(7000, 7000, { fit: "fill" }).png().toBuffer();
  expect((await asked(within)).outcome.kind).toBe("done");
});
