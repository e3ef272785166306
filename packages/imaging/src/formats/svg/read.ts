import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { checkDrawCost } from "./draw-cost.ts";
import { drawableSvg } from "./drawable.ts";
import { plainSvg } from "./plain.ts";

const withoutSize = "This SVG has no size and draws nothing that gives it one. Is it a collection of symbols?";
/** libvips' error message. */
const isWithoutSize = (problem: unknown) =>
  problem instanceof DomainError && problem.cause instanceof Error && problem.cause.message.includes("bad dimensions");

/**
 * Opens an SVG. Security: librsvg gets bytes, not a path. With a path it would resolve relative URLs, and a drawing
 * could include neighbouring files, which are other users' uploads. Without one it follows only `data:`.
 */
export async function openSvg(opening: FileOpenOptions): Promise<Source> {
  const plain = plainSvg(await readFile(opening.path));
  await checkDrawCost(plain, 0);
  const { text, notes } = await drawableSvg(plain);
  const input = Buffer.from(text);
  const source = await openWithLibvips({ ...opening, input, format: "svg", notes }).catch((problem: unknown) => {
    throw isWithoutSize(problem) ? new DomainError("cannot-process", { detail: withoutSize, cause: problem }) : problem;
  });
  await checkDrawCost(text, (source.width * source.height) / 1e6);
  return source;
}
