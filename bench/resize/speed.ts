import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { defaultQuality, writePicture } from "../../packages/imaging/src/formats/write-picture.ts";
import { createImaging } from "../../packages/imaging/src/imaging.ts";
import { runOperation } from "../run-operation.ts";
import { timed } from "../timed.ts";

type Case = { name: string; path: string; width: number };

/**
 * CPU time of the whole operation, file to file, compared with plain sharp, which resizes in gamma space and uses the
 * same encoder, and with sharp set to resize in linear light. Best of `rounds`, alternating, ms.
 */
export async function compareSpeed(photos: string, rounds = 5) {
  const folder = await mkdtemp(join(tmpdir(), "resize-"));
  const imaging = createImaging();
  try {
    const rows = [];
    for (const { name, path, width } of await prepare(photos, folder)) {
      const out = join(folder, "out");
      const plain = () => sharp(path, { sequentialRead: true }).keepIccProfile().autoOrient();
      const write = (image: Sharp) => writePicture(image, { format: "jpeg", path: out, quality: defaultQuality });
      const ways = {
        ours: () =>
          runOperation(imaging, {
            name: "resize",
            options: { method: "fit", width },
            inputPath: path,
            outputPath: out,
          }),
        gamma: () => write(plain().resize(width)),
        linear: () => write(plain().pipelineColourspace("scrgb").resize(width).toColourspace("srgb")),
        encoding: await encodingAlone(plain().resize(width), write),
      };
      const best = Object.fromEntries(Object.keys(ways).map((way) => [way, Number.POSITIVE_INFINITY]));
      for (let round = 0; round < rounds; round++)
        for (const [way, run] of Object.entries(ways))
          best[way] = Math.min(best[way] ?? 0, 1000 * (await timed<unknown>(run)).cpu);
      rows.push({ name, best });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Crops and reductions of the folder's photographs, at the sizes that the service is measured with. */
async function prepare(photos: string, folder: string): Promise<Case[]> {
  const twelve = join(folder, "12mp.jpg");
  const one = join(folder, "1mp.jpg");
  await sharp(join(photos, "camera_kodak_pixpro_s1_16mp_icc.jpg"))
    .extract({ left: 320, top: 240, width: 4000, height: 3000 })
    .jpeg({ quality: 92 })
    .toFile(twelve);
  await sharp(join(photos, "camera_iphone4s_8mp_rot6.jpg")).resize(1200, 900).jpeg({ quality: 92 }).toFile(one);
  return [
    { name: "12 MP to 1600 px", path: twelve, width: 1600 },
    { name: "13 MP to 1600 px", path: join(photos, "camera_oppo_r7_13mp.jpg"), width: 1600 },
    { name: "1 MP to 400 px", path: one, width: 400 },
  ];
}

async function encodingAlone(image: Sharp, write: (image: Sharp) => Promise<unknown>) {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return () => write(sharp(data, { raw: { width, height, channels } }));
}
