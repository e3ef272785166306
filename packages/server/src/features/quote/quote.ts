import {
  batchLimitSentence,
  creditsPerFile,
  DomainError,
  formatNamed,
  type InputFormat,
  isPrivate,
  keepsFormat,
  limits,
  noteText,
  type Quote,
  type QuotedFile,
  type RecipeStep,
  type TaskOptions,
  whoAllows,
} from "@tintype/contract";
import { predictStep } from "@tintype/imaging";
import type { Caller } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { creditsLeft, windowEnd } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import { canContinue, hasResults, predictContinued } from "../jobs/limits/result-chains.ts";

type QuoteRequest = {
  caller: Caller;
  steps: readonly [RecipeStep, ...RecipeStep[]];
  /** The options have not been chosen yet. */
  isOpen: boolean;
  files: readonly QuotedFile[];
};
const mayCostLess =
  "Each image is priced as if it can be made smaller. One that cannot is returned unchanged and costs nothing.";

const keepsLikeness =
  "If no smaller result keeps min_likeness, the image is returned unchanged, or fails if an earlier step changed it. Both cost nothing.";

type Refusal = Quote["refusals"][number];
type Loss = Quote["losses"][number];

/** How a file is predicted to end. `isUncharged`: known from its first bytes, so a person is never charged. */
type FilePrediction =
  | { kind: "done"; losses: string[]; assumption?: string }
  | { kind: "unchanged" }
  | { kind: "refused"; isUncharged: boolean; problem: DomainError };

export type QuoteDependencies = { db: Database; ledger: Ledger; clock: Clock; resultKey: string };

/** The ledger's state after the batch, if every file is a valid picture that matches the given details. */
export async function makeQuote(
  { caller, steps, isOpen, files }: QuoteRequest,
  { db, ledger, clock, resultKey }: QuoteDependencies,
): Promise<Quote> {
  const isFree = caller.mode === "test" || isPrivate();
  const price = isFree ? 0 : creditsPerFile(steps);
  const { filesPerBatch, megabytesPerFile } = limits[caller.tier];
  const predictions = files.map((file) => predictFile(file, { steps, isOpen, tier: caller.tier }));
  const refusals: Refusal[] = predictions.flatMap((prediction, index) =>
    prediction.kind === "refused" ? [refusalOf(index, prediction.problem)] : [],
  );
  const losses: Loss[] = predictions.flatMap((prediction, index) =>
    prediction.kind === "done" ? prediction.losses.map((detail) => ({ index, detail })) : [],
  );
  const assumptions: Quote["assumptions"] = predictions.flatMap((prediction, index) =>
    prediction.kind === "done" && prediction.assumption !== undefined ? [{ index, detail: prediction.assumption }] : [],
  );
  const [{ operation }] = steps;
  if (operation === "compress" && steps.length === 1 && price > 0 && predictions.some(({ kind }) => kind === "done"))
    assumptions.push({ index: null, detail: mayCostLess });
  const isLimited = steps.some(
    ({ operation, options }) => operation === "compress" && options["min_likeness"] !== undefined,
  );
  if (isLimited && price > 0 && predictions.some(({ kind }) => kind === "done"))
    assumptions.push({ index: null, detail: keepsLikeness });
  const batchRefusals: Refusal[] = [];
  if (files.length > filesPerBatch)
    batchRefusals.push({
      index: null,
      code: "too-many-files",
      detail: batchLimitSentence(filesPerBatch),
    });
  // In a form, one oversized part fails the whole request. An oversized address fails only its own file.
  for (const [index, { size_bytes: sizeBytes }] of files.entries())
    if (sizeBytes !== undefined && files[index]?.image_url === undefined && sizeBytes > megabytesPerFile * 1e6)
      batchRefusals.push({
        index,
        code: "too-large",
        detail: `A file is larger than the ${megabytesPerFile} MB that ${whoAllows()} allows.`,
      });
  const continued =
    price > 0
      ? await findContinued({ caller, steps, files }, predictions, { db, clock, resultKey })
      : new Set<number>();
  const uncharged = predictions.filter((prediction) => prediction.kind === "refused" && prediction.isUncharged).length;
  const unchanged = predictions.filter(({ kind }) => kind === "unchanged").length;
  const good = predictions.filter(({ kind }, index) => kind === "done" && !continued.has(index)).length;
  const isWork = predictions.length > uncharged + unchanged;
  // A guest's batch is charged in full, and failed files are refunded.
  const counted = isWork
    ? predictions.length - unchanged - continued.size - (caller.tier === "guest" ? 0 : uncharged)
    : 0;
  // Before fetching anything, the server checks that the caller can pay for the whole form.
  const fetched = files.some((file) => file.image_url !== undefined);
  const { usage, taken, refusal } = await ledger.predictCharge(caller, { files: counted, creditsPerFile: price });
  const isUploadFree = price === 0 || (!fetched && (await hasResults(db, { owner: caller.key, now: clock.now() })));
  const creditRefusal =
    refusal ?? (!isUploadFree ? await whyNoCredit(ledger, { caller, credits: fetched ? files.length : 1 }) : undefined);
  if (creditRefusal) batchRefusals.push(refusalOf(null, creditRefusal));
  const isRefused = batchRefusals.length > 0;
  // If only credits are missing, the price says how many.
  const isTooLarge = batchRefusals.some(({ code }) => code !== creditRefusal?.code);
  const credits = isTooLarge || !isWork ? 0 : good * price;
  const returned = isRefused || !isWork ? 0 : (counted - good) * price;
  const remaining = creditsLeft(usage);
  return {
    credits,
    credits_per_file: price,
    remaining_after: isRefused ? remaining : creditsLeft({ ...usage, used: usage.used + taken - returned }),
    resets_at: windowEnd(usage.window, clock.now())?.toISOString() ?? null,
    refusals: [...batchRefusals, ...refusals],
    losses,
    assumptions,
    continued: [...continued].sort((a, b) => a - b),
  };
}

/** The indexes of the files that are results of the caller, on which these steps are free. */
async function findContinued(
  { caller, steps, files }: Pick<QuoteRequest, "caller" | "steps" | "files">,
  predictions: readonly FilePrediction[],
  { db, clock, resultKey }: Omit<QuoteDependencies, "ledger">,
): Promise<Set<number>> {
  if (!canContinue(steps)) return new Set();
  const pictures = files.flatMap(({ sha256 }, index) =>
    sha256 === undefined || isKnownBefore(predictions[index]) ? [] : [{ index, sha256 }],
  );
  return predictContinued(db, { resultKey, owner: caller.key, steps: steps.length, pictures, now: clock.now() });
}

/** Whether its first bytes decide how the file ends. */
const isKnownBefore = (prediction: FilePrediction | undefined): boolean =>
  prediction?.kind === "unchanged" || (prediction?.kind === "refused" && prediction.isUncharged);

function predictFile(
  file: QuotedFile,
  { steps, isOpen, tier }: Pick<QuoteRequest, "steps" | "isOpen"> & { tier: Caller["tier"] },
): FilePrediction {
  const { image_url: url, width, height, size_bytes: sizeBytes, frames } = file;
  const format = file.format === undefined ? undefined : formatNamed(file.format);
  const reject = (problem: DomainError): FilePrediction => ({ kind: "refused", isUncharged: true, problem });
  if (file.format !== undefined && !format) return reject(new DomainError("not-an-image"));
  const { megabytesPerFile } = limits[tier];
  if (url !== undefined && sizeBytes !== undefined && sizeBytes > megabytesPerFile * 1e6)
    return reject(
      new DomainError("too-large", {
        detail: `An image is larger than the ${megabytesPerFile} MB that ${whoAllows()} allows.`,
      }),
    );
  if (!format || width === undefined || height === undefined) return predictUnseen(format, isOpen ? [] : steps);
  let picture: Parameters<typeof predictStep>[1]["picture"] = { format, width, height, frames };
  let isUnchanged = true;
  const losses: string[] = [];
  for (const [place, { operation, options }] of steps.entries())
    try {
      const step = { operation, options: isOpen ? undefined : options };
      const { result, losses: lost } = predictStep(step, { picture, limits: limits[tier] });
      losses.push(...lost.map(noteText));
      if (!result) continue;
      picture = result;
      isUnchanged = false;
    } catch (problem) {
      if (!(problem instanceof DomainError)) throw problem;
      const where = steps.length > 1 ? `Step ${place + 1} (${operation}): ` : "";
      const { code, detail } = problem;
      return { kind: "refused", isUncharged: false, problem: new DomainError(code, { detail: `${where}${detail}` }) };
    }
  return isUnchanged ? { kind: "unchanged" } : { kind: "done", losses };
}

/** How a picture at an address ends. Before fetching it, the server knows its format at most. */
function predictUnseen(format: InputFormat | undefined, steps: readonly RecipeStep[]): FilePrediction {
  const isKept = ({ operation, options }: RecipeStep) =>
    operation === "convert" && format !== undefined && keepsFormat(options as TaskOptions<"convert">, format); // by the operation
  if (steps.length > 0 && steps.every(isKept)) return { kind: "unchanged" };
  const assumption = isPrivate()
    ? "The image is not fetched for a quote. It is taken for a still image within the limits that can be processed."
    : "The image is not fetched for a quote. It is priced as a still image within your plan's limits that can be processed.";
  return { kind: "done", losses: [], assumption };
}

const refusalOf = (index: number | null, { code, detail }: DomainError): Refusal => ({ index, code, detail });

/** A paid operation is refused before its upload if no credit is left at all. */
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
