import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeColours } from "@tintype/codecs/colour";
import { type OperationName, reasonText } from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { createImaging } from "./imaging.ts";
import { ultraHdr } from "./testing/carrier-pictures.ts";
import { testLimits } from "./testing/run-operation.ts";

const imaging = createImaging();

async function run(bytes: Uint8Array, operation: OperationName, options: object) {
  const folder = await mkdtemp(join(tmpdir(), "forbid-"));
  try {
    const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
    await writeFile(inputPath, bytes);
    return await imaging.run(
      { name: operation, options: taskOptions[operation].parse(options), inputPath, outputPath, limits: testLimits },
      { signal: new AbortController().signal, progress: () => {} },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

const noise = (channels: 3 | 4, [width, height] = [64, 48]): Sharp =>
  sharp(Buffer.from(Array.from({ length: (width ?? 0) * (height ?? 0) * channels }, (_, i) => (i * 97) % 251)), {
    raw: { width: width ?? 0, height: height ?? 0, channels },
  });
const deep = () => noise(3).toColourspace("rgb16").png().toBuffer();
const clear = () => noise(4).png().toBuffer();
const wide = () => noise(3).withIccProfile("p3").png().toBuffer();
const moving = async () =>
  sharp(await noise(3, [64, 96]).raw().toBuffer(), { raw: { width: 64, height: 96, channels: 3, pageHeight: 48 } })
    .gif({ delay: [100, 100] })
    .toBuffer();
const located = () =>
  noise(3)
    .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" } })
    .jpeg()
    .toBuffer();
const plain = () => noise(3).jpeg().toBuffer();

// product: forbidden-losses
test.each<[string, () => Promise<Uint8Array>, OperationName, object]>([
  ["alpha", clear, "convert", { target_format: "jpeg" }],
  ["16bit", deep, "convert", { target_format: "webp" }],
  ["icc", wide, "convert", { target_format: "gif" }],
  ["frames", moving, "convert", { target_format: "jpeg" }],
  ["metadata", located, "compress", { quality: 70 }],
  ["hdr", () => ultraHdr(), "convert", { target_format: "png" }],
  ["upscale", plain, "resize", { width: 200 }],
])(
  "%s that would be lost fails the file, and passes where something else is forbidden",
  async (loss, make, operation, options) => {
    const bytes = await make();
    const problem = await run(bytes, operation, { ...options, forbid: `layers, ${loss}` }).catch(
      (thrown: unknown) => thrown,
    );
    expect(problem).toMatchObject({
      code: "would-lose",
      field: "forbid",
      reason: { code: "losses-forbidden", lost: [loss] },
    });
    expect((await run(bytes, operation, { ...options, forbid: "layers,pages" })).kind).toBe("done");
  },
);

test("a coloured mark on a grey picture with a profile says that colours and depth are converted, and can be forbidden", async () => {
  const folder = await mkdtemp(join(tmpdir(), "forbid-"));
  const profile = join(folder, "grey.icc");
  await writeFile(profile, describeColours({ isGrey: true }));
  const grey = await noise(3).greyscale().toColourspace("grey16").withIccProfile(profile).png().toBuffer();
  await rm(folder, { recursive: true });
  const marked = { text: "A", colour: "red" };
  const { notes } = await run(grey, "watermark", marked);
  expect(notes).toEqual(
    expect.arrayContaining([{ code: "colours-converted-for-mark" }, { code: "depth-reduced-for-mark" }]),
  );
  await expect(run(grey, "watermark", { ...marked, forbid: "icc,16bit" })).rejects.toMatchObject({
    reason: { lost: ["icc", "16bit"] },
  });
  await run(grey, "watermark", { text: "A", colour: "white", forbid: "icc,16bit" });
});

test("what is kept is not lost: transparency in WebP, 16 bits in PNG, a smaller or padded size", async () => {
  await run(await clear(), "convert", { target_format: "webp", forbid: "alpha" });
  await run(await deep(), "resize", { width: 32, forbid: "16bit,upscale" });
  await run(await plain(), "turn", { degrees: 90, forbid: "upscale" });
  await run(await plain(), "resize", { width: 100, height: 100, method: "fit", canvas: "white", forbid: "upscale" });
  await run(await moving(), "convert", { target_format: "webp", forbid: "frames" });
});

test("the sentence names each loss", () => {
  expect(reasonText({ code: "losses-forbidden", lost: ["hdr", "alpha"] })).toBe(
    "Nothing was made, since forbid rules this out: HDR would be lost; transparency would be lost.",
  );
});
