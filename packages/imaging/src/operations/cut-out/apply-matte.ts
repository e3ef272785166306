import { DomainError } from "@tintype/contract";
import { openSource } from "../../formats/open-source.ts";
import { decodeToFile, type PictureFile } from "../../raster/picture-file.ts";
import type { PictureLimits } from "../../task.ts";
import { openOriginal } from "./open-original.ts";

type MatteEdit = {
  mattePath: string;
  originalPath?: string;
  originalPage?: number;
  outputPath: string;
  limits: PictureLimits;
  signal: AbortSignal;
};

const rowsAtOnce = 256;

/**
 * Applies an edited matte to a cut-out, in place. Restored pixels take their colours from the original; others keep the
 * cut-out's, which are free of the old background. 8-bit RGBA.
 * @throws cannot-process for a matte or an original of another size
 */
export async function applyMatte(
  work: PictureFile,
  { mattePath, originalPath, originalPage, ...task }: MatteEdit,
): Promise<void> {
  const matte = await openSource(mattePath, task.limits).catch((problem: unknown) => {
    if (!(problem instanceof DomainError)) throw problem;
    throw new DomainError(problem.code, { detail: `Matte: ${problem.detail}`, cause: problem.cause });
  });
  if (matte.width !== work.width || matte.height !== work.height)
    throw new DomainError("cannot-process", {
      detail: `The matte has ${matte.width} x ${matte.height} pixels; the cut-out has ${work.width} x ${work.height}.`,
    });
  if (originalPath === undefined) throw new Error("An engine was asked to apply a matte without the original");
  const grey = matte.read({ colour: "srgb" }).flatten({ background: "#000000" }).toColourspace("b-w").extractChannel(0);
  const mask = await decodeToFile(grey, `${task.outputPath}.matte`);
  try {
    const original = await openOriginal({
      path: originalPath,
      page: originalPage,
      limits: task.limits,
      cutOut: work,
    });
    const colours = await decodeToFile(
      original.read({ colour: "srgb" }).toColourspace("srgb").removeAlpha(),
      `${task.outputPath}.original`,
    );
    try {
      await applyToRows(work, { mask, colours, signal: task.signal });
    } finally {
      colours.remove();
    }
  } finally {
    mask.remove();
  }
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
