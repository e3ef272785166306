import type { Rectangle } from "@tintype/codecs/raster";
import type { PictureFile } from "../raster/picture-file.ts";

const rowsAtOnce = 256;

/** Composites the cut-out part of a picture over another picture of that part's size, in place. Both are 8-bit RGBA. */
export async function compositeOver(
  work: PictureFile,
  { part, behind, signal }: { part: Rectangle; behind: PictureFile; signal: AbortSignal },
): Promise<void> {
  for (let first = 0; first < part.height; first += rowsAtOnce) {
    signal.throwIfAborted();
    const count = Math.min(rowsAtOnce, part.height - first);
    const front = work.readRows({ first: part.top + first, count });
    const back = behind.readRows({ first, count });
    for (let y = 0, from = 0; y < count; y += 1)
      for (let x = 0, to = (y * work.width + part.left) * 4; x < part.width; x += 1, to += 4, from += 4) {
        const alpha = (front[to + 3] as number) / 255;
        for (let k = 0; k < 3; k += 1)
          front[to + k] = Math.round(alpha * (front[to + k] as number) + (1 - alpha) * (back[from + k] as number));
        front[to + 3] = 255;
      }
    work.writeRows(part.top + first, front);
  }
}
