import { DomainError, limits, operationNames } from "@tintype/contract";
import {
  type Backend,
  type FoundPicture,
  findPictures,
  readPictureFacts,
  readStep,
  type SeenFile,
  type Work,
} from "@tintype/toolkit";
import { exitCodes } from "./exit-codes.ts";
import type { RunFlags } from "./flags.ts";
import { readShortOptions } from "./operation-flags.ts";
import { plain, sayPath } from "./output.ts";
import { recipeWork } from "./recipe-work.ts";
import { openSession, type Session } from "./session.ts";

/** `tintype quote`. */
export async function quotePictures(wanted: readonly string[], flags: RunFlags & { recipe?: string }): Promise<number> {
  const pictures = await findPictures(wanted, { cwd: process.cwd() });
  const session = await openSession(flags, { pictures: 1 });
  try {
    const work = await quotedWork(flags, session);
    process.stderr.write(`${session.backend.whereabouts}\n`);
    return await tellQuote(pictures, { work, backend: session.backend, isJson: flags.json === true });
  } finally {
    await session.close();
  }
}

async function quotedWork(flags: RunFlags & { recipe?: string }, session: Session): Promise<Work> {
  const steps = operationNames.flatMap((name) => {
    const text = flags[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (text === undefined) return [];
    return [
      readStep(name, {
        ...session.settings.operations[name],
        ...readShortOptions(name, text === true ? true : String(text)),
      }),
    ];
  });
  const [first, ...others] = steps;
  if ((first === undefined) === (flags.recipe === undefined))
    throw new DomainError("invalid-request", {
      detail: `Please give operations, such as --${operationNames[0]}, or a --recipe, one of the two.`,
    });
  return first ? { steps: [first, ...others] } : recipeWork(flags.recipe ?? "", session);
}

/** Files that a quote is asked for at a time: a batch of any account's plan has room for them. */
const mostAtATime = limits.hobby.filesPerBatch;

type Telling = { work: Work; backend: Backend; isJson: boolean };

/** Looks at the pictures, sends none, and tells the price, the refusals and the losses. */
export async function tellQuote(
  pictures: readonly FoundPicture[],
  { work, backend, isJson }: Telling,
): Promise<number> {
  const looked = await Promise.all(pictures.map(async ({ path }) => ({ path, facts: await readPictureFacts(path) })));
  const good = looked.flatMap(({ path, facts }) => (facts ? [{ path, file: quoted(facts) }] : []));
  const refusals = looked
    .filter(({ facts }) => !facts)
    .map(({ path }) => ({ file: sayPath(path), code: "not-an-image", detail: new DomainError("not-an-image").detail }));
  const losses: { file: string | null; detail: string }[] = [];
  const all: { file: string | null; code: string; detail: string }[] = [...refusals];
  let credits = 0;
  /** Credits before the first file; undefined on this computer. */
  let held: number | undefined;
  for (let at = 0; at < good.length; at += mostAtATime) {
    const some = good.slice(at, at + mostAtATime);
    const answer = await backend.quote(
      work,
      some.map(({ file }) => file),
    );
    const nameOf = (index: number | null) => (index === null ? null : sayPath(some[index]?.path ?? ""));
    credits += answer.credits;
    if (answer.remainingAfter !== undefined) held ??= answer.remainingAfter + answer.credits;
    all.push(...answer.refusals.map(({ index, code, detail }) => ({ file: nameOf(index), code, detail })));
    losses.push(...answer.losses.map(({ index, detail }) => ({ file: nameOf(index), detail })));
  }
  if (held !== undefined && credits > held && !all.some(({ code }) => code === "out-of-credits"))
    all.push({ file: null, code: "out-of-credits", detail: `${credits} credits are needed, and ${held} are left.` });
  const remaining = held === undefined ? undefined : Math.max(0, held - credits);
  if (isJson) {
    const quote = { files: pictures.length, credits, remaining_after: remaining, refusals: all, losses };
    process.stdout.write(`${JSON.stringify(quote)}\n`);
    return exitCodes.done;
  }
  const price = backend.kind === "offline" ? "no credits, since this computer does the work" : `${credits} credits`;
  const left = remaining === undefined ? "" : `, ${remaining} are left then`;
  process.stdout.write(`${pictures.length === 1 ? "1 file" : `${pictures.length} files`}, ${price}${left}\n`);
  for (const { file, detail } of all) process.stdout.write(`${plain(`${file ?? "all"}  refused: ${detail}`)}\n`);
  for (const { file, detail } of losses) process.stdout.write(`${plain(`${file ?? "all"}  ${detail}`)}\n`);
  return exitCodes.done;
}

const quoted = ({
  width,
  height,
  sizeBytes,
  format,
  frames,
}: NonNullable<Awaited<ReturnType<typeof readPictureFacts>>>): SeenFile => ({
  width,
  height,
  size_bytes: sizeBytes,
  format,
  frames,
});
