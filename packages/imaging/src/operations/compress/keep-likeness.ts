import { bestQualityWithin, DomainError, type Note } from "@tintype/contract";
import { qualityFor, targetScore } from "../../quality/scale.ts";
import type { Request } from "./encode.ts";
import type { Meter } from "./measure-likeness.ts";
import type { Candidate } from "./original.ts";

/** A result, with its likeness if measured. */
export type ScoredResult = { result: Candidate; likeness?: number | undefined };

type KeepLikenessOptions = {
  /** 0 to 100 */
  minLikeness: number;
  makeResult: (request: Request) => Promise<Candidate>;
  likenessOf: Meter;
};

/** Quality increases, the last one to 100. Each costs an encoding and a measurement. */
const maxRaises = 4;
/** How far an increase aims above the required likeness, and its minimum in quality. */
const [margin, leastRaise] = [0.5, 2];

/**
 * The result at the requested quality, or at the first higher one that keeps the likeness. If none does, the original
 * is returned with a note that explains why; an intermediate step has no original, and is refused.
 * @throws cannot-process, and what `makeResult` throws
 */
export async function keepLikeness(
  request: Request,
  { minLikeness, makeResult, likenessOf }: KeepLikenessOptions,
): Promise<ScoredResult> {
  const requested =
    request.options.max_bytes === undefined ? (request.options.quality ?? 100) : bestQualityWithin(request.options);
  let quality = requested;
  let best: number | undefined;
  for (let raises = 0; ; raises++) {
    const options = quality === requested ? request.options : { ...request.options, quality };
    const result = await makeResult({ ...request, options });
    // Above the requested quality, returning the original is a matter of likeness only.
    if (result.isOriginal && quality !== requested) break;
    const likeness = await likenessOf(result);
    if (likeness !== undefined && likeness >= minLikeness) {
      const raised: Note = { code: "quality-raised", quality, likeness: minLikeness };
      const isRaised = quality !== requested && request.options.max_bytes === undefined;
      return { result: isRaised ? { ...result, notes: [...result.notes, raised] } : result, likeness };
    }
    if (likeness !== undefined) best = Math.max(best ?? likeness, likeness);
    if (quality >= 100) break;
    quality =
      raises + 1 < maxRaises && likeness !== undefined ? raisedFor(request, { quality, likeness, minLikeness }) : 100;
  }
  return returnOriginal(request, { minLikeness, best });
}

type Short = { quality: number; likeness: number; minLikeness: number };

/** With max_bytes, quality is already the upper limit of the search: the byte limit decides. */
function raisedFor({ options }: Request, { quality, likeness, minLikeness }: Short): number {
  if (options.max_bytes !== undefined) return 100;
  const aimed = qualityFor(targetScore(quality) + minLikeness - likeness + margin);
  return Math.min(100, Math.max(quality + leastRaise, Math.ceil(aimed)));
}

function returnOriginal(
  { original, isStandIn, options: { max_bytes: maxBytes } }: Request,
  { minLikeness, best }: { minLikeness: number; best: number | undefined },
): ScoredResult {
  const missed = {
    likeness: minLikeness,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(best === undefined ? {} : { best }),
  };
  if (isStandIn) throw new DomainError("cannot-process", { reason: { code: "likeness-unreachable", ...missed } });
  const result = original.withoutMetadata();
  return { result: { ...result, notes: [...result.notes, { code: "likeness-missed", ...missed }] }, likeness: 100 };
}
