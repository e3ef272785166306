import { readFileSync } from "node:fs";
import sharp from "sharp";

const photographs = ["carp", "valley"].map((name) =>
  readFileSync(new URL(`../fixtures/photos/${name}.jpg`, import.meta.url)),
);

/** Distinct crops of real photographs, encoded as a camera would. */
export const cutPhotographs = (count: number): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      sharp(photographs[i % photographs.length])
        .extract({ left: 13 * i, top: 4 * i, width: 640, height: 480 })
        .jpeg({ quality: 92 })
        .toBuffer(),
    ),
  );
