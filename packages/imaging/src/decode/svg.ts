import { readFile } from "node:fs/promises";
import { checkDrawCost } from "../svg/draw-cost.ts";
import { drawableSvg } from "../svg/drawable.ts";
import { plainSvg } from "../svg/plain.ts";
import type { PictureLimits } from "../task.ts";
import { openWithLibvips } from "./libvips.ts";
import type { Source } from "./source.ts";

/**
 * Opens an SVG. It is handed over as bytes: librsvg follows relative addresses from a file it was given by name, so that
 * a drawing could pull in its neighbours, which are other people's uploads. Without a name it follows `data:` alone.
 */
export async function openSvg(opening: { path: string; sizeBytes: number; limits: PictureLimits }): Promise<Source> {
  const plain = plainSvg(await readFile(opening.path));
  await checkDrawCost(plain, 0);
  const source = await openWithLibvips({ ...opening, input: Buffer.from(drawableSvg(plain)), format: "svg" });
  await checkDrawCost(plain, (source.width * source.height) / 1e6);
  return source;
}
