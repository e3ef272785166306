import type { Size } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import { openSource, type Source } from "../../formats/open-source.ts";
import { checkDecodes } from "../../formats/source.ts";
import type { PictureLimits } from "../../task.ts";

/**
 * Opens and decodes a picture beside the task's own. Its `name` begins the message of an error, from which the server
 * tells the form's field.
 * @throws as `openSource`, as `checkDecodes`
 */
export async function openSecond(
  path: string,
  { name, limits }: { name: "Background image" | "Matte"; limits: PictureLimits },
): Promise<Source> {
  try {
    const source = await openSource(path, limits);
    await checkDecodes(source);
    return source;
  } catch (problem) {
    if (!(problem instanceof DomainError)) throw problem;
    throw new DomainError(problem.code, { detail: `${name}: ${problem.detail}`, cause: problem.cause });
  }
}

type Original = {
  path: string;
  page?: number | undefined;
  limits: PictureLimits;
  cutOut: Size;
};

/**
 * Opens the picture that a cut-out was made from.
 * @throws cannot-process for one of another size
 */
export async function openOriginal({ path, page, limits, cutOut }: Original): Promise<Source> {
  const original = await openSource(path, limits, { page });
  checkSameSize(original, { name: "The original", cutOut });
  return original;
}

/** @throws cannot-process if the picture and the cut-out differ in size */
export function checkSameSize({ width, height }: Size, { name, cutOut }: { name: string; cutOut: Size }): void {
  if (width === cutOut.width && height === cutOut.height) return;
  throw new DomainError("cannot-process", {
    detail: `${name} has ${width} x ${height} pixels; the cut-out has ${cutOut.width} x ${cutOut.height}.`,
  });
}
