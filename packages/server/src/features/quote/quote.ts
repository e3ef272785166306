import {
  creditsPerFile,
  DomainError,
  formatNamed,
  limits,
  type Quote,
  type QuotedFile,
  type RecipeStep,
} from "@tintype/contract";
import { foresee } from "@tintype/imaging";
import type { Caller } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import { windowEnd } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";

type Asked = {
  caller: Caller;
  steps: readonly [RecipeStep, ...RecipeStep[]];
  /** The options are still to be chosen. */
  isOpen: boolean;
  files: readonly QuotedFile[];
};
type Refusal = Quote["refusals"][number];
type Loss = Quote["losses"][number];

/** The fate of a file: `isEarly` is known from its first bytes, and a person is not charged for it to begin with. */
type Fate =
  | { kind: "done"; losses: string[] }
  | { kind: "unchanged" }
  | { kind: "refused"; isEarly: boolean; problem: DomainError };

/**
 * The ledger's state once the batch is through, if every file is a sound still picture of the facts that are given.
 */
export async function makeQuote(
  { caller, steps, isOpen, files }: Asked,
  { ledger, clock }: { ledger: Ledger; clock: Clock },
): Promise<Quote> {
  const price = caller.mode === "test" ? 0 : creditsPerFile(steps);
  const { filesPerBatch, megabytesPerFile } = limits[caller.tier];
  const fates = files.map((file) => fateOf(file, { steps, isOpen, tier: caller.tier }));
  const refusals: Refusal[] = fates.flatMap((fate, index) =>
    fate.kind === "refused" ? [refusalOf(index, fate.problem)] : [],
  );
  const losses: Loss[] = fates.flatMap((fate, index) =>
    fate.kind === "done" ? fate.losses.map((detail) => ({ index, detail })) : [],
  );
  const wholly: Refusal[] = [];
  if (files.length > filesPerBatch)
    wholly.push({
      ...{ index: null, code: "too-many-files" },
      detail: `Your plan takes up to ${filesPerBatch} files in one batch.`,
    });
  for (const [index, { size_bytes: sizeBytes }] of files.entries())
    if (sizeBytes > megabytesPerFile * 1e6)
      wholly.push({
        index,
        code: "too-large",
        detail: `A file is larger than the ${megabytesPerFile} MB that your plan takes.`,
      });
  const early = fates.filter((fate) => fate.kind === "refused" && fate.isEarly).length;
  const unchanged = fates.filter(({ kind }) => kind === "unchanged").length;
  const good = fates.filter(({ kind }) => kind === "done").length;
  const isWork = fates.length > early + unchanged;
  // A guest's batch is counted whole, and gets back what failed.
  const counted = isWork ? fates.length - unchanged - (caller.tier === "guest" ? 0 : early) : 0;
  const { usage, taken, refusal } = await ledger.foresee(caller, { files: counted, creditsPerFile: price });
  const wanting = refusal ?? (price > 0 ? await whyNoCredit(ledger, caller) : undefined);
  if (wanting) wholly.push(refusalOf(null, wanting));
  const isRefused = wholly.length > 0;
  const credits = isRefused || !isWork ? 0 : good * price;
  const returned = isRefused || !isWork ? 0 : (counted - good) * price;
  const remaining = Math.max(0, usage.limit - usage.used);
  return {
    credits,
    credits_per_file: price,
    remaining_after: isRefused ? remaining : Math.max(0, usage.limit - usage.used - taken + returned),
    resets_at: windowEnd(usage.window, clock.now())?.toISOString() ?? null,
    refusals: [...wholly, ...refusals],
    losses,
  };
}

function fateOf(
  file: QuotedFile,
  { steps, isOpen, tier }: Pick<Asked, "steps" | "isOpen"> & { tier: Caller["tier"] },
): Fate {
  const format = formatNamed(file.format);
  if (!format) return { kind: "refused", isEarly: true, problem: new DomainError("not-an-image") };
  let picture = { format, width: file.width, height: file.height };
  let isUnchanged = true;
  const losses: string[] = [];
  for (const [place, { operation, options }] of steps.entries())
    try {
      const step = { operation, options: isOpen ? undefined : options };
      const { result, losses: lost } = foresee(step, { picture, limits: limits[tier] });
      losses.push(...lost);
      if (!result) continue;
      picture = result;
      isUnchanged = false;
    } catch (problem) {
      if (!(problem instanceof DomainError)) throw problem;
      const where = steps.length > 1 ? `Step ${place + 1} (${operation}): ` : "";
      const { code, detail } = problem;
      return { kind: "refused", isEarly: false, problem: new DomainError(code, { detail: `${where}${detail}` }) };
    }
  return isUnchanged ? { kind: "unchanged" } : { kind: "done", losses };
}

const refusalOf = (index: number | null, { code, detail }: DomainError): Refusal => ({ index, code, detail });

/** An operation that costs something is refused before its upload where nothing at all is left. */
async function whyNoCredit(ledger: Ledger, caller: Caller): Promise<DomainError | undefined> {
  try {
    await ledger.requireCredit(caller);
    return undefined;
  } catch (problem) {
    if (problem instanceof DomainError) return problem;
    throw problem;
  }
}
