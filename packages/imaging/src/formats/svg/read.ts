import { DomainError } from "@tintype/contract";
import sharp from "sharp";
import { refusePixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { checkDrawCost } from "./draw-cost.ts";
import { drawableSvg } from "./drawable.ts";
import { plainSvg } from "./plain.ts";

/** libvips' error message. */
const isWithoutSize = (problem: unknown) =>
  problem instanceof DomainError && problem.cause instanceof Error && problem.cause.message.includes("bad dimensions");

/**
 * Opens an SVG. Security: librsvg gets bytes, not a path. With a path it would resolve relative URLs, and a drawing
 * could include neighbouring files, which are other users' uploads. Without one it follows only `data:`.
 * @throws broken-image, too-many-pixels, cannot-process, as `openWithLibvips`
 */
export async function openSvg({ file, limits }: FileOpenOptions): Promise<Source> {
  const plain = plainSvg(await file.bytes());
  await checkDrawCost(plain, 0);
  const { text, notes } = await drawableSvg(plain);
  if (text === "") throw new DomainError("broken-image"); // of a root tag that has no end; sharp refuses an empty buffer
  const input = Buffer.from(text);
  await refuseUnmeasured(input);
  const source = await openWithLibvips({ file, limits, input, format: "svg", notes }).catch((problem: unknown) => {
    throw isWithoutSize(problem)
      ? new DomainError("cannot-process", { reason: { code: "svg-without-size" }, cause: problem })
      : problem;
  });
  await checkDrawCost(text, (source.width * source.height) / 1e6);
  return source;
}

/** px; libvips reports a longer side as 1, and from 2^31 px on a "zero-sized image". */
const longestMeasured = 100_000_000;
const outOfRange = { width: 1, height: 1 };
/** Dots per inch, four times the usual ones: a side of 1 px, rounded, has 2 to 6. */
const magnifiedDensity = 288;

/**
 * Refuses a drawing with a side that is 1 px at any magnification: it is out of libvips' range. The size may come from
 * attributes, CSS, the view box, or from what is drawn.
 * @throws too-many-pixels
 */
async function refuseUnmeasured(input: Buffer): Promise<void> {
  const size = await measure(input);
  if (size?.width !== 1 && size?.height !== 1) return;
  const magnified = await measure(input, magnifiedDensity);
  if ((size.width === 1 && magnified?.width === 1) || (size.height === 1 && magnified?.height === 1))
    refusePixels({ code: "drawing-unmeasured", limit: longestMeasured });
}

/** Undefined for an error that `openWithLibvips` reports. */
const measure = (input: Buffer, density?: number) =>
  sharp(input, { limitInputPixels: false, ...(density ? { density } : {}) })
    .metadata()
    .catch((problem: unknown) =>
      problem instanceof Error && problem.message.includes("zero-sized image") ? outOfRange : undefined,
    );
