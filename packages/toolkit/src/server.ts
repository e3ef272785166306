import { readFile, writeFile } from "node:fs/promises";
import {
  explainNetworkError,
  type ReportRow,
  type Result,
  requirePrivateNetwork,
  Tintype,
  TintypeError,
  toSnake,
  type Usage,
  type UsageHistory,
} from "@tintype/client";
import { DomainError, isErrorCode, limits, manifestOf, type RecipeStep } from "@tintype/contract";
import { sniffFormat } from "@tintype/imaging";
import {
  type Backend,
  type BackendRun,
  type BatchRun,
  type FileResult,
  type NamedRecipe,
  NetworkLost,
  type Work,
} from "./backend.ts";
import { needsNetwork } from "./offline/networks.ts";
import { openSet } from "./web-set.ts";
import { readSteps } from "./work.ts";

type Server = { origin: string; key: string };

type ServerOptions = Server & {
  recipes?: readonly NamedRecipe[];
  /** Called before each wait, for example when the server limits the call rate. */
  onWait?: ((wait: { waitMs: number; reason: string }) => void) | undefined;
};

/** With the client's backoff this bridges an outage of a minute. */
const workRetries = 8;
/** For requests before any work, while the person waits. */
const requestRetries = 1;
const versionTimeoutMs = 20_000;
/** A batch of any account's plan may have this many. Larger batches save little more, and a killed run loses more time. */
const maxBatchFiles = limits.hobby.filesPerBatch;

/**
 * A server. A picture is sent with an Idempotency-Key: after a lost connection, or from the next process, the same
 * key gets the same result at no further cost.
 */
export function openServer({ origin, key, recipes = [], onWait }: ServerOptions): Backend {
  const client = new Tintype({ key, baseUrl: origin, retries: workRetries });
  let version: Promise<string> | undefined;
  let readsJobs: Promise<boolean> | undefined;
  return {
    kind: "server",
    locationNote: `Pictures go to ${origin}.`,
    version() {
      version ??= readVersion({ origin, key });
      return version;
    },
    run: (run) => translateErrors(run.signal, () => runOn(client, run, onWait)),
    batches: {
      async maxFiles(work) {
        // Networks are slow, and an auxiliary file belongs to one picture only.
        if (isSlow(work) || work.auxiliaryPaths) return 1;
        // A batch that takes more than 30 s becomes a job, whose result a key without jobs:read cannot fetch.
        readsJobs ??= client.jobs.list({ size: 1 }, { retries: requestRetries }).then(
          () => true,
          () => false,
        );
        return (await readsJobs) ? maxBatchFiles : 1;
      },
      run: (run) => translateErrors(run.signal, () => runTogether(client, run, onWait)),
    },
    quote: ({ steps }, files) =>
      translateErrors(undefined, async () => {
        const asked = files.map(({ size_bytes: sizeBytes, ...file }) => ({ ...file, sizeBytes }));
        const request = {
          recipe: { steps: steps.map(({ operation, options }) => ({ [operation]: options })) },
          files: asked,
        };
        const { remainingAfter, ...quote } = await client.quote(request, { retries: requestRetries });
        return { ...quote, ...(remainingAfter === null ? {} : { remainingAfter }) };
      }),
    recipes: () =>
      translateErrors(undefined, async () => {
        const kept = await client.recipes.list({ retries: requestRetries });
        // The client uses camelCase; options have the API's names.
        const theirs = kept.map(({ name, about, steps }) => ({
          name,
          about,
          steps: readSteps(toSnake(steps)),
        }));
        return [...recipes, ...theirs];
      }),
    close: async () => {},
  };
}

/**
 * Warns, once in a process, if key and pictures travel unencrypted to a server in a private network. A name without an
 * address is left to the first call.
 * @throws invalid-request for plain http to a public address
 */
export async function checkServer(origin: string, warn: (sentence: string) => void): Promise<void> {
  await translateErrors(undefined, () => requirePrivateNetwork(origin, { warn })).catch((problem: unknown) => {
    if (!(problem instanceof NetworkLost)) throw problem;
  });
}

/** The tools have no edit command, so the server need not keep a picture for one. */
function withoutKeeping({ operation, options }: RecipeStep): { operation: string; options: object } {
  const kept = Object.entries(manifestOf(operation).fields).filter(([, field]) => "keepsOnServer" in field);
  return { operation, options: { ...options, ...Object.fromEntries(kept.map(([name]) => [name, false])) } };
}

/** Calls about a key's account. @throws DomainError, NetworkLost */
export type Account = {
  usage(): Promise<Usage>;
  history(size: number): Promise<UsageHistory>;
};

export function openAccount({ origin, key }: Server): Account {
  const client = new Tintype({ key, baseUrl: origin, retries: requestRetries });
  return {
    usage: () => translateErrors(undefined, () => client.usage()),
    history: (size) => translateErrors(undefined, () => client.history({ size })),
  };
}

const isSlow = ({ steps }: Work): boolean => steps.some(({ operation }) => needsNetwork(operation));

async function runOn(client: Tintype, run: BackendRun, onWait: ServerOptions["onWait"]): Promise<FileResult> {
  const { picture, resultPath } = run;
  const file = await openFile(picture);
  const { blob, report, credits } = await call(client, file, { ...run, onWait });
  return finish({ blob, row: report.files[0], source: file.data, resultPath, credits: credits?.charged ?? 0 });
}

async function runTogether(
  client: Tintype,
  { pictures, ...run }: BatchRun,
  onWait: ServerOptions["onWait"],
): Promise<(FileResult | DomainError)[]> {
  const files = await Promise.all(pictures.map(openFile));
  const { report, files: made, credits } = await call(client, files, { ...run, onWait }).catch(refuseBody);
  const rows = report.files;
  if (rows.length !== pictures.length) throw new NetworkLost(noPicture);
  const shares = sharesOf(credits?.charged ?? 0, rows);
  const named = new Map(made.map(({ name, blob }) => [name, blob]));
  return Promise.all(
    files.map(async ({ data: source }, index) => {
      const [row, paths] = [rows[index], pictures[index]];
      if (row?.outcome === "failed") return failureOf(row);
      const blob = named.get(row?.result ?? "");
      if (!blob || !paths) throw new NetworkLost(noPicture);
      return finish({ blob, row, source, resultPath: paths.resultPath, credits: shares[index] ?? 0 });
    }),
  );
}

/** A proxy in front of the server may have a lower size limit. */
function refuseBody(problem: unknown): never {
  const isProxy = problem instanceof TintypeError && problem.code === "unexpected-answer" && problem.status === 413;
  throw isProxy ? new DomainError("too-large", { cause: problem }) : problem;
}

const failureOf = ({ code = "", reason }: ReportRow): DomainError =>
  new DomainError(isErrorCode(code) ? code : "engine-failed", { detail: reason });

/** Splits a call's credits among its pictures: those that failed or saved nothing were free. */
function sharesOf(charged: number, rows: readonly ReportRow[]): number[] {
  const paid = rows.filter(costs).length;
  let left = charged;
  return rows.map((row) => {
    const share = costs(row) ? Math.min(left, Math.ceil(charged / paid)) : 0;
    left -= share;
    return share;
  });
}

const costs = ({ outcome, nothingSaved }: ReportRow): boolean => outcome === "done" && nothingSaved !== true;

type File = { name: string; data: Uint8Array<ArrayBuffer> };

const openFile = async ({ path, name }: BackendRun["picture"]): Promise<File> => ({
  name,
  data: new Uint8Array(await readFile(path)),
});

async function call(
  client: Tintype,
  files: File | readonly File[],
  {
    work,
    idempotencyKey,
    signal,
    progress,
    onWait,
  }: Omit<BackendRun, "picture" | "resultPath"> & Pick<ServerOptions, "onWait">,
): Promise<Result> {
  const steps = work.steps.map(withoutKeeping);
  const options = {
    idempotencyKey,
    signal,
    // The server's rate limit counts calls: one call per file is a third of what following each job takes. After a
    // stop, the key lets the work be resumed.
    follow: isSlow(work),
    onWait: ({ waitMs, problem }: { waitMs: number; problem: TintypeError }) =>
      onWait?.({ waitMs, reason: problem.message }),
    // The first tenth of the bar is the upload.
    onProgress: ({ stage, progress: share }: { stage: "upload" | "work"; progress: number }) =>
      progress({ fraction: stage === "upload" ? share / 10 : 0.1 + share * 0.9 }),
  };
  const [first] = steps;
  // The client's names are in camelCase.
  const auxiliary = Object.entries(work.auxiliaryPaths ?? {}).map(([field, path]) => [camelCase(field), path]);
  return steps.length === 1 && first
    ? operationOf(client, first.operation)(files, { ...first.options, ...Object.fromEntries(auxiliary) }, options)
    : client.run({ steps: steps.map((step) => ({ [step.operation]: step.options })) }, files, options);
}

const camelCase = (name: string) => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

type Operate = (files: File | readonly File[], options: object, call: Parameters<Tintype["run"]>[2]) => Promise<Result>;

/** The client has a method for each operation, with the operation's name in camelCase. */
function operationOf(client: Tintype, operation: string): Operate {
  const name = camelCase(operation);
  const methods = client as unknown as Record<string, Operate | undefined>; // by name, which is known only at run time
  const method = methods[name];
  if (method) return method;
  throw new DomainError("invalid-request", { detail: `This version does not know how to call ${operation}.` });
}

const noPicture = "The server's response is not a picture.";

type FinishOptions = {
  blob: Blob;
  row: ReportRow | undefined;
  source: Uint8Array;
  resultPath: string;
  credits: number;
};

async function finish({ blob, row, source, resultPath, credits }: FinishOptions): Promise<FileResult> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const sourceFormat = sniffFormat(source);
  const format = sniffFormat(bytes) ?? ((await openSet(bytes)) ? "zip" : undefined);
  if (!row || !format || !sourceFormat) throw new NetworkLost(noPicture);
  await writeFile(resultPath, bytes);
  const { width = 0, height = 0, reason, nothingSaved, confidence, likeness } = row;
  const hasReason = reason !== undefined && (row.outcome === "unchanged" || nothingSaved === true);
  const notes = hasReason ? [...row.notes, reason] : row.notes;
  return {
    notes,
    confidence,
    likeness,
    credits,
    source: { format: sourceFormat, sizeBytes: source.length },
    result: { format, width, height, sizeBytes: bytes.length },
  };
}

/** Results of test keys are watermarked, and not valid for other keys. */
async function readVersion({ origin, key }: Server): Promise<string> {
  const kind = key.split("_").slice(0, 2).join("_");
  return translateErrors(undefined, async () => {
    // Sent without the key, whose scopes may allow only processing.
    const signal = AbortSignal.timeout(versionTimeoutMs);
    const response = await fetch(`${origin}/api/config`, { signal }).catch((problem: unknown) => {
      throw problem instanceof TypeError ? explainNetworkError(origin, problem) : problem;
    });
    const body: unknown = await response.json().catch(() => undefined);
    const fields = body instanceof Object ? (body as Record<string, unknown>) : {}; // each field is checked where it is read
    if (response.ok && typeof fields["version"] === "string") return `${origin} ${kind} ${fields["version"]}`;
    if (typeof fields["code"] === "string" && isErrorCode(fields["code"]))
      throw new DomainError(fields["code"], typeof fields["detail"] === "string" ? { detail: fields["detail"] } : {});
    throw new NetworkLost(`${origin} does not answer as a Tintype server does.`);
  });
}

/** Runs a client call and translates its errors to the tools' own. */
async function translateErrors<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (problem) {
    signal?.throwIfAborted();
    if (problem instanceof TintypeError) {
      const { code, message: detail, smallestBytes, field, resetsAt } = problem;
      if (isErrorCode(code)) throw new DomainError(code, { detail, smallestBytes, field, resetsAt, cause: problem });
      throw new NetworkLost(detail, { cause: problem });
    }
    if (problem instanceof DOMException && problem.name === "TimeoutError")
      throw new NetworkLost(`The server does not respond within ${versionTimeoutMs / 1000} s.`, { cause: problem });
    throw problem;
  }
}
