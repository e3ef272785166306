import {
  creditsPerFile,
  DomainError,
  formatNamed,
  type InputFormat,
  keepsFormat,
  limits,
  type Quote,
  type QuotedFile,
  type RecipeStep,
  type TaskOptions,
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
const mayCostLess =
  "Each image is priced as if it can be made smaller. One that cannot comes back as it is, and costs nothing.";

const keepsLikeness =
  "An image of which no smaller result keeps min_likeness comes back as it is. From a step that changed it before, it fails. Both cost nothing.";

type Refusal = Quote["refusals"][number];
type Loss = Quote["losses"][number];

/** The fate of a file: `isEarly` is known from its first bytes, and a person is not charged for it to begin with. */
type Fate =
  | { kind: "done"; losses: string[]; assumption?: string }
  | { kind: "unchanged" }
  | { kind: "refused"; isEarly: boolean; problem: DomainError };

/**
 * The ledger's state once the batch is through, if every file is a sound picture of the facts that are given.
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
  const assumptions: Quote["assumptions"] = fates.flatMap((fate, index) =>
    fate.kind === "done" && fate.assumption !== undefined ? [{ index, detail: fate.assumption }] : [],
  );
  const [{ operation }] = steps;
  if (operation === "compress" && steps.length === 1 && price > 0 && fates.some(({ kind }) => kind === "done"))
    assumptions.push({ index: null, detail: mayCostLess });
  const isLimited = steps.some(
    ({ operation, options }) => operation === "compress" && options["min_likeness"] !== undefined,
  );
  if (isLimited && price > 0 && fates.some(({ kind }) => kind === "done"))
    assumptions.push({ index: null, detail: keepsLikeness });
  const wholly: Refusal[] = [];
  if (files.length > filesPerBatch)
    wholly.push({
      index: null,
      code: "too-many-files",
      detail: `Your plan takes up to ${filesPerBatch} files in one batch.`,
    });
  // Of a form, a part that is too large ends all of it. An address that gives too much ends its own file.
  for (const [index, { size_bytes: sizeBytes }] of files.entries())
    if (sizeBytes !== undefined && files[index]?.image_url === undefined && sizeBytes > megabytesPerFile * 1e6)
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
  // Before the server fetches anything it looks whether the caller can pay for the whole form.
  const fetched = files.some((file) => file.image_url !== undefined);
  const { usage, taken, refusal } = await ledger.foresee(caller, { files: counted, creditsPerFile: price });
  const wanting =
    refusal ?? (price > 0 ? await whyNoCredit(ledger, { caller, credits: fetched ? files.length : 1 }) : undefined);
  if (wanting) wholly.push(refusalOf(null, wanting));
  const isRefused = wholly.length > 0;
  // Where only credits are missing, the price tells how many.
  const isTooLarge = wholly.some(({ code }) => code !== wanting?.code);
  const credits = isTooLarge || !isWork ? 0 : good * price;
  const returned = isRefused || !isWork ? 0 : (counted - good) * price;
  const remaining = Math.max(0, usage.limit - usage.used);
  return {
    credits,
    credits_per_file: price,
    remaining_after: isRefused ? remaining : Math.max(0, usage.limit - usage.used - taken + returned),
    resets_at: windowEnd(usage.window, clock.now())?.toISOString() ?? null,
    refusals: [...wholly, ...refusals],
    losses,
    assumptions,
  };
}

function fateOf(
  file: QuotedFile,
  { steps, isOpen, tier }: Pick<Asked, "steps" | "isOpen"> & { tier: Caller["tier"] },
): Fate {
  const { image_url: url, width, height, size_bytes: sizeBytes, frames } = file;
  const format = file.format === undefined ? undefined : formatNamed(file.format);
  const early = (problem: DomainError): Fate => ({ kind: "refused", isEarly: true, problem });
  if (file.format !== undefined && !format) return early(new DomainError("not-an-image"));
  const { megabytesPerFile } = limits[tier];
  if (url !== undefined && sizeBytes !== undefined && sizeBytes > megabytesPerFile * 1e6)
    return early(
      new DomainError("too-large", {
        detail: `An image is larger than the ${megabytesPerFile} MB that your plan takes.`,
      }),
    );
  if (!format || width === undefined || height === undefined) return fateUnseen(format, isOpen ? [] : steps);
  let picture: Parameters<typeof foresee>[1]["picture"] = { format, width, height, frames };
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

/** The fate of a picture at an address, of which the server knows at most the format before it fetches it. */
function fateUnseen(format: InputFormat | undefined, steps: readonly RecipeStep[]): Fate {
  const isKept = ({ operation, options }: RecipeStep) =>
    operation === "convert" && format !== undefined && keepsFormat(options as TaskOptions<"convert">, format); // by the operation
  if (steps.length > 0 && steps.every(isKept)) return { kind: "unchanged" };
  const assumption =
    "The image is not fetched for a quote. This file is priced as a still image within your plan's limits that the work can be done on.";
  return { kind: "done", losses: [], assumption };
}

const refusalOf = (index: number | null, { code, detail }: DomainError): Refusal => ({ index, code, detail });

/** An operation that costs something is refused before its upload where nothing at all is left. */
async function whyNoCredit(
  ledger: Ledger,
  { caller, credits }: { caller: Caller; credits: number },
): Promise<DomainError | undefined> {
  try {
    await ledger.requireCredit(caller, credits);
    return undefined;
  } catch (problem) {
    if (problem instanceof DomainError) return problem;
    throw problem;
  }
}
