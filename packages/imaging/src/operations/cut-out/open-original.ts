import type { Size } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import { openSource } from "../../formats/open-source.ts";
import type { OpenedTask } from "../operation.ts";

/**
 * Opens the picture that a cut-out was made from.
 * @throws cannot-process for one of another size
 */
export async function openOriginal({ auxiliaryPaths, originalPage: page, limits }: OpenedTask, cutOut: Size) {
  const path = auxiliaryPaths?.["original"];
  if (path === undefined) throw new Error("An engine was asked for an original that it was not given");
  const original = await openSource(path, limits, { page });
  checkSameSize(original, { part: "original", cutOut });
  return original;
}

/** @throws cannot-process if the picture and the cut-out differ in size */
export function checkSameSize(
  { width, height }: Size,
  { part, cutOut }: { part: "original" | "matte"; cutOut: Size },
): void {
  if (width === cutOut.width && height === cutOut.height) return;
  throw new DomainError("cannot-process", {
    reason: {
      code: "size-of-cut-out-differs",
      part,
      width,
      height,
      cutOut: { width: cutOut.width, height: cutOut.height },
    },
  });
}
