import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { keepsFormat, limits, type TaskOptions } from "@tintype/contract";
import pLimit from "p-limit";
import type { Backend, Facts, Quote, Work } from "./backend.ts";
import type { Cache } from "./cache.ts";
import type { FoundPicture } from "./find-pictures.ts";
import { inspectPicture } from "./offline/offline.ts";
import { FileFault, unreadable } from "./publish.ts";
import { faultOf } from "./run-files.ts";
import { createIsKnown } from "./work-on.ts";

/** A path, or null for what concerns all pictures. */
export type QuotedPictures = Pick<Quote, "credits" | "remainingAfter"> & {
  /** Pictures whose results are cached: they are free. */
  known: number;
  refusals: { path: string | null; code: string; detail: string }[];
  losses: { path: string | null; detail: string }[];
};

/** Files per quote request: a batch of any account's plan may have this many. */
const batchSize = limits.hobby.filesPerBatch;

/** The price of any number of pictures, from their headers; no picture is sent. Files that are not pictures or cannot be read are among the refusals. */
export async function quotePictures(
  pictures: readonly FoundPicture[],
  { work, backend, cache, isInPlace = false }: { work: Work; backend: Backend; cache: Cache; isInPlace?: boolean },
): Promise<QuotedPictures> {
  const isKnown = createIsKnown({ work, backend, cache, isInPlace });
  const limit = pLimit(batchSize);
  const inspect = async (path: string) => {
    const bytes = await readFile(path).catch((cause: unknown) => unreadable(path, cause));
    if (bytes instanceof FileFault) return { path, facts: bytes, isKnown: false, sha256: "" };
    // Opening a picture takes ten times as long as finding its result, and decodes it in several formats.
    if (await isKnown({ name: basename(path), bytes })) return { path, facts: undefined, isKnown: true, sha256: "" };
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { path, facts: await inspectPicture(path, work.steps), isKnown: false, sha256 };
  };
  const inspected = await Promise.all(pictures.map(({ path }) => limit(() => inspect(path))));
  const readable = inspected.flatMap(({ path, facts, sha256 }) =>
    facts === undefined || facts instanceof Error ? [] : [{ path, facts, sha256 }],
  );
  const quoted: QuotedPictures = {
    credits: 0,
    known: inspected.filter(({ isKnown }) => isKnown).length,
    refusals: inspected.flatMap(({ path, facts }) =>
      facts instanceof Error ? [{ path, code: facts.code, detail: faultOf(facts).reason }] : [],
    ),
    losses: [],
  };
  /** Credits before the first file; undefined on this computer. */
  let held: number | undefined;
  for (let at = 0; at < readable.length; at += batchSize) {
    const some = readable.slice(at, at + batchSize);
    const response = await backend.quote(
      work,
      some.map(({ facts: { width, height, sizeBytes, format, frames }, sha256 }) => ({
        width,
        height,
        format,
        frames,
        size_bytes: sizeBytes,
        sha256,
      })),
    );
    const pathOf = (index: number | null) => (index === null ? null : (some[index]?.path ?? null));
    if (response.remainingAfter !== undefined) held ??= response.remainingAfter + response.credits;
    const isRefused = response.refusals.some(({ index }) => index === null);
    quoted.credits += isRefused ? priceOf(some, { work, response }) : response.credits;
    for (const { index, ...rest } of response.refusals) {
      const refusal = { ...rest, path: pathOf(index) };
      // A refusal that concerns all pictures is repeated for each chunk.
      const isSaid =
        refusal.path === null && quoted.refusals.some(({ path, code }) => path === null && code === rest.code);
      if (!isSaid) quoted.refusals.push(refusal);
    }
    quoted.losses.push(...response.losses.map(({ index, ...rest }) => ({ ...rest, path: pathOf(index) })));
  }
  if (held === undefined) return quoted;
  const { credits, refusals } = quoted;
  if (credits > held && !refusals.some(({ code }) => code === "out-of-credits"))
    refusals.push({
      path: null,
      code: "out-of-credits",
      detail: `${credits} credits are needed, and ${held} are left.`,
    });
  return { ...quoted, remainingAfter: Math.max(0, held - credits) };
}

/** The price of pictures that are refused as a whole, as when credits are short: the server gives none then. */
function priceOf(some: readonly { facts: Facts }[], { work, response }: { work: Work; response: Quote }): number {
  const refused = new Set(response.refusals.map(({ index }) => index));
  const [first, ...others] = work.steps;
  const isFree = ({ format }: Facts) =>
    others.length === 0 &&
    first.operation === "convert" &&
    keepsFormat(first.options as TaskOptions<"convert">, format); // by the operation
  return some.filter(({ facts }, index) => !refused.has(index) && !isFree(facts)).length * response.creditsPerFile;
}
