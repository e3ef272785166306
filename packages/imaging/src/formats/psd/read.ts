import type { Note } from "@tintype/contract";
import { checkPixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { checkPsd, rewritePsd } from "./decode.ts";
import { colourModes, readPsdLayout } from "./layout.ts";

/** Opens the merged image of a Photoshop file. */
export async function openPsd({ file, limits }: FileOpenOptions): Promise<Source> {
  const bytes = await file.bytes();
  const layout = readPsdLayout(bytes);
  checkPixels(layout, limits);
  checkPsd(layout);
  const notes: Note[] = [
    ...(layout.mode === colourModes.lab ? [{ code: "lab-converted" } as const] : []),
    ...(layout.mode === colourModes.duotone ? [{ code: "duotone-read-as-grey" } as const] : []),
  ];
  return openWithLibvips({ file, format: "psd", limits, notes, input: rewritePsd(bytes, layout) });
}
