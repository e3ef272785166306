import { DomainError, operationNames } from "@tintype/contract";
import {
  type Backend,
  type FoundPicture,
  findPictures,
  quotePictures as priceOf,
  readStep,
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

type Telling = { work: Work; backend: Backend; isJson: boolean };

/** Looks at the pictures, sends none, and tells the price, the refusals and the losses. */
export async function tellQuote(
  pictures: readonly FoundPicture[],
  { work, backend, isJson }: Telling,
): Promise<number> {
  const quoted = await priceOf(pictures, { work, backend });
  const { credits, remainingAfter: remaining } = quoted;
  const said = <T extends { path: string | null }>({ path, ...rest }: T) => ({
    file: path === null ? null : sayPath(path),
    ...rest,
  });
  const [refusals, losses] = [quoted.refusals.map(said), quoted.losses.map(said)];
  if (isJson) {
    const quote = { files: pictures.length, credits, remaining_after: remaining, refusals, losses };
    process.stdout.write(`${JSON.stringify(quote)}\n`);
    return exitCodes.done;
  }
  const price = backend.kind === "offline" ? "no credits, since this computer does the work" : `${credits} credits`;
  const left = remaining === undefined ? "" : `, ${remaining} are left then`;
  process.stdout.write(`${pictures.length === 1 ? "1 file" : `${pictures.length} files`}, ${price}${left}\n`);
  for (const { file, detail } of refusals) process.stdout.write(`${plain(`${file ?? "all"}  refused: ${detail}`)}\n`);
  for (const { file, detail } of losses) process.stdout.write(`${plain(`${file ?? "all"}  ${detail}`)}\n`);
  return exitCodes.done;
}
