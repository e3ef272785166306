import { readFile } from "node:fs/promises";
import { checkPixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { checkPsd, rewritePsd } from "./decode.ts";
import { colourModes, readPsdLayout } from "./layout.ts";

/** Opens the merged image of a Photoshop file. */
export async function openPsd({ path, sizeBytes, limits }: FileOpenOptions): Promise<Source> {
  const file = await readFile(path);
  const layout = readPsdLayout(file);
  checkPixels(layout, limits);
  checkPsd(layout);
  const notes = [
    ...(layout.mode === colourModes.lab ? ["Colours in Lab are converted to sRGB."] : []),
    ...(layout.mode === colourModes.duotone ? ["The inks of a duotone are left out: it is read as grey."] : []),
  ];
  return openWithLibvips({ path, sizeBytes, format: "psd", limits, notes, input: rewritePsd(file, layout) });
}
