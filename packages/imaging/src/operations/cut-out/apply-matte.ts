import { type PictureFile, withPictureFile } from "../../raster/picture-file.ts";
import { openAuxiliary } from "../open-auxiliary.ts";
import type { OpenedTask } from "../operation.ts";
import { checkSameSize, openOriginal } from "./open-original.ts";

const rowsAtOnce = 256;

/**
 * Applies the edited matte, if there is one, to a cut-out, in place. Restored pixels take their colours from the original; others keep the
 * cut-out's, which are free of the old background. 8-bit RGBA.
 * @throws cannot-process for a matte or an original of another size
 */
export async function applyMatte(
  work: PictureFile,
  { task, signal }: { task: OpenedTask; signal: AbortSignal },
): Promise<void> {
  const matte = await openAuxiliary(task, "matte");
  if (!matte) return;
  checkSameSize(matte, { part: "matte", cutOut: work });
  const grey = matte.read({ colour: "srgb" }).flatten({ background: "#000000" }).toColourspace("b-w").extractChannel(0);
  await withPictureFile(grey, `${task.outputPath}.matte`, async (mask) => {
    const original = await openOriginal(task, work);
    const colours = original.read({ colour: "srgb" }).toColourspace("srgb").removeAlpha();
    await withPictureFile(colours, `${task.outputPath}.original`, (old) =>
      applyToRows(work, { mask, colours: old, signal }),
    );
  });
}

async function applyToRows(
  work: PictureFile,
  { mask, colours, signal }: { mask: PictureFile; colours: PictureFile; signal: AbortSignal },
): Promise<void> {
  for (let first = 0; first < work.height; first += rowsAtOnce) {
    signal.throwIfAborted();
    const count = Math.min(rowsAtOnce, work.height - first);
    const [front, wanted, old] = [work, mask, colours].map((file) => file.readRows({ first, count })) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    for (let i = 0; i < wanted.length; i += 1) {
      const [before, after] = [front[i * 4 + 3] as number, wanted[i] as number];
      if (after > before)
        for (let k = 0; k < 3; k += 1)
          front[i * 4 + k] = Math.round(
            (before * (front[i * 4 + k] as number) + (after - before) * (old[i * 3 + k] as number)) / after,
          );
      front[i * 4 + 3] = after;
    }
    work.writeRows(first, front);
  }
}
