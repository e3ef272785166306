import { DomainError, manifestOf, previewedSteps, type TaskOptions, unknownName } from "@tintype/contract";
import { recipeSteps, taskOptions } from "@tintype/contract/schemas";
import type { ZodError } from "zod";
import { type Caller, ownersOf } from "../../../http/caller.ts";
import type { Clock } from "../../../platform/clock.ts";
import { expireOldPreviews } from "../deliver/delivery.ts";
import type { Jobs } from "../jobs.ts";
import { requireEnded } from "../queue/begin.ts";
import { keepsPictures } from "../record/job.ts";
import { type KeptPicture, type Order, orderOf } from "./order.ts";

/**
 * Pictures kept for further previews: per person or all guests of a network, and for everyone in a network, since accounts
 * are free. A newer one replaces the oldest.
 */
const maxKeptPreviews = { holder: 12, network: 48 };

type PreviewOrderOptions = { jobs: Jobs; clock: Clock; caller: Caller };

/** A preview of an uploaded picture, or of one that an earlier preview keeps: the whole result scaled down, or a part of it. */
export function previewOrder({ jobs, clock, caller }: PreviewOrderOptions): Order {
  let isKept = false;
  return {
    ...orderOf("preview"),
    isPreview: true,
    isBackground: true,
    async stepsOf(sent) {
      const { options, steps, of, keep, ...shown } = taskOptions.preview.parse(sent);
      isKept = keep && of === undefined;
      const request = previewRequest(shown.operation, options);
      const frame = frameOf(shown.operation, steps);
      const parts = { ...(request ? { request } : {}), ...(frame ? { frame } : {}) };
      return [{ operation: "preview", options: { ...shown, keep: isKept, ...parts } }];
    },
    async storedOf({ of }) {
      if (of === undefined || of.trim() === "") return undefined;
      const { of: id = "" } = taskOptions.preview.parse({ of });
      return keptPicture(jobs, { id, caller });
    },
    async alongside(tx, network) {
      if (!isKept) return;
      const now = clock.now();
      const holder = caller.kind === "person" ? caller.key : network;
      await expireOldPreviews(tx, { whose: { holder }, max: maxKeptPreviews.holder, now });
      await expireOldPreviews(tx, { whose: { network }, max: maxKeptPreviews.network, now });
    },
  };
}

async function keptPicture(jobs: Jobs, { id, caller }: { id: string; caller: Caller }): Promise<KeptPicture> {
  const record = await jobs.find(id, ownersOf(caller)).catch((problem: unknown) => {
    if (!(problem instanceof DomainError)) throw problem;
    throw new DomainError(problem.code, { field: "of", detail: problem.detail, cause: problem });
  });
  const [file] = record.files;
  if (record.operation !== "preview" || !keepsPictures(record.steps) || !file)
    throw new DomainError("not-found", { field: "of" });
  requireEnded(record);
  if (record.removedAt || record.state !== "done") throw new DomainError("gone", { field: "of" });
  const { name, sizeBytes, format, input } = file;
  return { file: { name, sizeBytes, input: `${record.id}/${input}`, ...(format ? { format } : {}) }, inputs: [] };
}

/** The operation to preview, with options parsed by its own form. @throws invalid-request with the option as its field */
function previewRequest(operation: TaskOptions<"preview">["operation"], options: string | undefined) {
  if (operation === undefined) {
    if (options === undefined) return undefined;
    throw new DomainError("invalid-request", {
      field: "operation",
      detail: "Name the operation that the options belong to.",
    });
  }
  const written = readJson(options ?? "{}", {
    field: "options",
    detail: 'The options must be JSON, such as {"quality": 60}.',
  }) as Record<string, unknown>; // an object: the field's pattern wants braces
  const known = Object.keys(manifestOf(operation).fields);
  const odd = Object.keys(written).find((name) => !known.includes(name));
  if (odd !== undefined)
    throw new DomainError("invalid-request", {
      field: `options.${odd.slice(0, 60)}`,
      detail: unknownName(odd.slice(0, 60), known, `option of ${operation}`),
    });
  const parsed = taskOptions[operation].safeParse(written);
  if (parsed.success) return { operation, options: parsed.data };
  throw refusalOf(parsed.error);
}

/** The steps before the operation, parsed like a recipe's. @throws invalid-request with the step's option as its field */
function frameOf(operation: TaskOptions<"preview">["operation"], written: string | undefined) {
  if (written === undefined) return undefined;
  const refused = (field: string, detail: string) => new DomainError("invalid-request", { field, detail });
  if (operation === undefined) throw refused("operation", "Name the operation that the steps come before.");
  const parsed = recipeSteps.safeParse(
    readJson(written, { field: "steps", detail: 'The steps must be JSON, such as [{"crop": {"ratio": "4:5"}}].' }),
  );
  if (!parsed.success) throw refusalOf(parsed.error, "steps");
  const known: readonly string[] = previewedSteps;
  const places = parsed.data.map((step) => known.indexOf(step.operation));
  if (places.some((place, index) => place < 0 || place <= (places[index - 1] ?? -1)))
    throw refused("steps", "Before a previewed operation an image can be turned and then cropped, each once.");
  return parsed.data;
}

function readJson(text: string, refusal: { field: string; detail: string }): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("invalid-request", refusal);
  }
}

function refusalOf({ issues: [issue] }: ZodError, form: "options" | "steps" = "options"): DomainError {
  const place = issue?.path.join(".");
  return new DomainError("invalid-request", {
    field: place ? `${form}.${place.slice(0, 60)}` : form,
    detail: issue && /[.!?]$/.test(issue.message) ? issue.message : `The ${form} cannot be read.`,
  });
}
