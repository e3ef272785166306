import { DomainError, operationNames } from "@tintype/contract";
import {
  type Backend,
  type Cache,
  type FoundPicture,
  findPictures,
  plain,
  quotePictures as priceOf,
  readStep,
  recipeWork,
  type Work,
} from "@tintype/toolkit";
import { exitCodeOf } from "./exit-codes.ts";
import { camel, findingOf, isShortOptions, type RunFlags, readShortOptions } from "./operation-flags.ts";
import { formatPath, warnLinkOut } from "./output.ts";
import { openSession, type Session } from "./session.ts";

/** `tintype quote`. */
export async function quotePictures(named: readonly string[], given: RunFlags & { recipe?: string }): Promise<number> {
  const { paths, flags } = readPaths(named, given);
  const pictures = await findPictures(paths, { cwd: process.cwd(), onLinkOut: warnLinkOut, ...findingOf(flags) });
  const session = await openSession(flags, { pictures: 1 });
  try {
    const work = await quotedWork(flags, session);
    process.stderr.write(`${session.backend.locationNote}\n`);
    return await printQuote(pictures, { ...session, work, isJson: flags.json === true });
  } finally {
    await session.close();
  }
}

/**
 * In `--compress img` a folder stands where options may be: what is not an option of the operation is a picture.
 * @throws invalid-request
 */
function readPaths(named: readonly string[], given: RunFlags) {
  const flags = { ...given };
  const paths = [...named];
  for (const name of operationNames) {
    const text = flags[camel(name)];
    if (typeof text !== "string" || isShortOptions(name, text)) continue;
    flags[camel(name)] = true;
    paths.unshift(text);
  }
  if (paths.length === 0)
    throw new DomainError("invalid-request", { detail: "Please name files, folders or globs after the options." });
  return { paths, flags };
}

async function quotedWork(flags: RunFlags & { recipe?: string }, session: Session): Promise<Work> {
  const steps = operationNames.flatMap((name) => {
    const text = flags[camel(name)];
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
      detail: `Use either operations, such as --${operationNames[0]}, or --recipe.`,
    });
  return first ? { steps: [first, ...others] } : recipeWork(flags.recipe ?? "", session.backend);
}

type QuoteContext = { work: Work; backend: Backend; cache: Cache; isJson: boolean; isInPlace?: boolean };

/** Inspects the pictures without sending any, and prints the price, the refusals and the losses. */
export async function printQuote(
  pictures: readonly FoundPicture[],
  { work, backend, cache, isJson, isInPlace = false }: QuoteContext,
): Promise<number> {
  const quoted = await priceOf(pictures, { work, backend, cache, isInPlace });
  const { credits, known, remainingAfter: remaining } = quoted;
  const exitCode = exitCodeOf(
    quoted.refusals.filter(({ path }) => path === null).map(({ code }) => ({ outcome: "refused", code })),
  );
  const said = <T extends { path: string | null }>({ path, ...rest }: T) => ({
    file: path === null ? null : formatPath(path),
    ...rest,
  });
  const [refusals, losses] = [quoted.refusals.map(said), quoted.losses.map(said)];
  if (isJson) {
    const quote = { files: pictures.length, known, credits, remaining_after: remaining, refusals, losses };
    process.stdout.write(`${JSON.stringify(quote)}\n`);
    return exitCode;
  }
  const price =
    backend.kind === "offline"
      ? "no credits, since this computer does the work"
      : remaining === undefined
        ? "free"
        : credits === 1
          ? "1 credit"
          : `${credits} credits`;
  const isShort = quoted.refusals.some(({ path }) => path === null);
  const left = remaining === undefined || isShort ? "" : `, ${remaining} are left then`;
  const files = pictures.length === 1 ? "1 file" : `${pictures.length} files`;
  process.stdout.write(`${files}${known > 0 ? ` (${known} known)` : ""}, ${price}${left}\n`);
  for (const { file, detail } of refusals) process.stdout.write(`${plain(`${file ?? "all"}  refused: ${detail}`)}\n`);
  for (const { file, detail } of losses) process.stdout.write(`${plain(`${file ?? "all"}  ${detail}`)}\n`);
  return exitCode;
}
