import { DomainError, limits } from "@tintype/contract";
import type { Backend, Quote, Work } from "./backend.ts";
import type { FoundPicture } from "./find-pictures.ts";
import { readPictureFacts } from "./offline/offline.ts";

/** A path, or null for what concerns all pictures. */
export type QuotedPictures = Pick<Quote, "credits" | "remainingAfter"> & {
  refusals: { path: string | null; code: string; detail: string }[];
  losses: { path: string | null; detail: string }[];
};

/** Files that a quote is asked for at a time: a batch of any account's plan has room for them. */
const mostAtATime = limits.hobby.filesPerBatch;

/** The price of any number of pictures, from their headers; no picture is sent. Files that are none are among the refusals. */
export async function quotePictures(
  pictures: readonly FoundPicture[],
  { work, backend }: { work: Work; backend: Backend },
): Promise<QuotedPictures> {
  const looked = await Promise.all(pictures.map(async ({ path }) => ({ path, facts: await readPictureFacts(path) })));
  const readable = looked.flatMap(({ path, facts }) => (facts ? [{ path, facts }] : []));
  const none = new DomainError("not-an-image");
  const quoted: QuotedPictures = {
    credits: 0,
    refusals: looked.filter(({ facts }) => !facts).map(({ path }) => ({ path, code: none.code, detail: none.detail })),
    losses: [],
  };
  /** Credits before the first file; undefined on this computer. */
  let held: number | undefined;
  for (let at = 0; at < readable.length; at += mostAtATime) {
    const some = readable.slice(at, at + mostAtATime);
    const answer = await backend.quote(
      work,
      some.map(({ facts: { width, height, sizeBytes, format, frames } }) => ({
        ...{ width, height, format, frames },
        size_bytes: sizeBytes,
      })),
    );
    const pathOf = (index: number | null) => (index === null ? null : (some[index]?.path ?? null));
    quoted.credits += answer.credits;
    if (answer.remainingAfter !== undefined) held ??= answer.remainingAfter + answer.credits;
    quoted.refusals.push(...answer.refusals.map(({ index, ...rest }) => ({ ...rest, path: pathOf(index) })));
    quoted.losses.push(...answer.losses.map(({ index, ...rest }) => ({ ...rest, path: pathOf(index) })));
  }
  if (held === undefined) return quoted;
  const { credits, refusals } = quoted;
  if (credits > held && !refusals.some(({ code }) => code === "out-of-credits"))
    refusals.push({
      ...{ path: null, code: "out-of-credits" },
      detail: `${credits} credits are needed, and ${held} are left.`,
    });
  return { ...quoted, remainingAfter: Math.max(0, held - credits) };
}
