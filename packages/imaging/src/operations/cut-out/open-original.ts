import { DomainError } from "@tintype/contract";
import { openSource, type Source } from "../../formats/open-source.ts";
import type { PictureLimits } from "../../task.ts";

type Original = {
  path: string;
  page?: number | undefined;
  limits: PictureLimits;
  cutOut: { width: number; height: number };
};

/**
 * Opens the picture that a cut-out was made from.
 * @throws cannot-process for one of another size
 */
export async function openOriginal({ path, page, limits, cutOut }: Original): Promise<Source> {
  const original = await openSource(path, limits, { page });
  if (original.width !== cutOut.width || original.height !== cutOut.height)
    throw new DomainError("cannot-process", {
      detail: `The original has ${original.width} x ${original.height} pixels; the cut-out has ${cutOut.width} x ${cutOut.height}.`,
    });
  return original;
}
