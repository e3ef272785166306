import { readFile, writeFile } from "node:fs/promises";
import { type Result, Tintype, TintypeError, type Usage, type UsageHistory } from "@tintype/client";
import { DomainError, isErrorCode, manifestOf, type RecipeStep } from "@tintype/contract";
import { sniffFormat } from "@tintype/imaging";
import { type Backend, type BackendRun, type Finished, type NamedRecipe, NetworkLost } from "./backend.ts";
import { needsNetwork } from "./offline/networks.ts";
import { readSteps } from "./work.ts";

type Server = { origin: string; key: string };

type Opening = Server & {
  recipes?: readonly NamedRecipe[];
  /** Told before each wait, as where the server limits the rate of calls. */
  onWait?: ((wait: { waitMs: number; reason: string }) => void) | undefined;
};

/** With the client's waits a cut of a minute is waited out. */
const workRetries = 8;
/** Questions before any work: the person waits. */
const askRetries = 1;
const versionTimeoutMs = 20_000;

/**
 * A server. A picture is sent with an Idempotency-Key: after a cut, or from the next process, the same key gets the same
 * result and costs nothing more.
 */
export function openServer({ origin, key, recipes = [], onWait }: Opening): Backend {
  const client = new Tintype({ key, baseUrl: origin, retries: workRetries });
  let version: Promise<string> | undefined;
  return {
    kind: "server",
    whereabouts: `Pictures go to ${origin}.`,
    version() {
      version ??= readVersion({ origin, key });
      return version;
    },
    run: (run) => heeding(run.signal, () => runOn(client, run, onWait)),
    quote: ({ steps }, files) =>
      heeding(undefined, async () => {
        const asked = files.map(({ size_bytes: sizeBytes, ...file }) => ({ ...file, sizeBytes }));
        const request = {
          recipe: { steps: steps.map(({ operation, options }) => ({ [operation]: options })) },
          files: asked,
        };
        return client.quote(request, { retries: askRetries });
      }),
    recipes: () =>
      heeding(undefined, async () => {
        const kept = await client.recipes.list({ retries: askRetries });
        // The client has the names of JavaScript; options have the API's.
        const theirs = kept.map(({ name, about, steps }) => ({
          name,
          about,
          steps: readSteps(steps.map(withNamesOfApi)),
        }));
        return [...recipes, ...theirs];
      }),
    close: async () => {},
  };
}

/** `{ convert: { targetFormat: "webp" } }` becomes `{ convert: { target_format: "webp" } }`. */
const withNamesOfApi = (step: object): object =>
  Object.fromEntries(
    Object.entries(step).map(([operation, options]: [string, object]) => [
      operation,
      Object.fromEntries(Object.entries(options).map(([name, value]) => [apiName(name), value])),
    ]),
  );
/** The tools have no call for edits: a server keeps no picture for them. */
function withoutKeeping({ operation, options }: RecipeStep): { operation: string; options: object } {
  const kept = Object.entries(manifestOf(operation).fields).filter(([, field]) => "keepsOnServer" in field);
  return { operation, options: { ...options, ...Object.fromEntries(kept.map(([name]) => [name, false])) } };
}

const apiName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Calls about the account of a key. @throws DomainError, NetworkLost */
export type Account = {
  usage(): Promise<Usage>;
  history(size: number): Promise<UsageHistory>;
};

export function openAccount({ origin, key }: Server): Account {
  const client = new Tintype({ key, baseUrl: origin, retries: askRetries });
  return {
    usage: () => heeding(undefined, () => client.usage()),
    history: (size) => heeding(undefined, () => client.history({ size })),
  };
}

async function runOn(
  client: Tintype,
  { picture, work, resultPath, idempotencyKey, signal, progress }: BackendRun,
  onWait: Opening["onWait"],
) {
  const { secondPicturePath } = work;
  const steps = work.steps.map(withoutKeeping);
  const file = { name: picture.name, data: new Uint8Array(await readFile(picture.path)) };
  const call = {
    ...{ idempotencyKey, signal },
    // A server counts calls: one a file takes a third of what following each job takes. Who stops has a key to go on with.
    follow: work.steps.some(({ operation }) => needsNetwork(operation)),
    onWait: ({ waitMs, problem }: { waitMs: number; problem: TintypeError }) =>
      onWait?.({ waitMs, reason: problem.message }),
    // The first tenth of the bar is the upload.
    onProgress: ({ stage, progress: share }: { stage: "upload" | "work"; progress: number }) =>
      progress({ fraction: stage === "upload" ? share / 10 : 0.1 + share * 0.9 }),
  };
  const [first] = steps;
  const background = secondPicturePath === undefined ? {} : { backgroundImage: secondPicturePath };
  const result =
    steps.length === 1 && first
      ? await operationOf(client, first.operation)(file, { ...first.options, ...background }, call)
      : await client.run({ steps: steps.map((step) => ({ [step.operation]: step.options })) }, file, call);
  return finish(result, { resultPath, sizeBytes: picture.sizeBytes, source: file.data });
}

type Operate = (
  file: { name: string; data: Uint8Array<ArrayBuffer> },
  options: object,
  call: Parameters<Tintype["run"]>[2],
) => Promise<Result>;

/** The client has a method for each operation, under the operation's name in JavaScript. */
function operationOf(client: Tintype, operation: string): Operate {
  const name = operation.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const methods = client as unknown as Record<string, Operate | undefined>; // by the name, which is only known here
  const method = methods[name];
  if (method) return method;
  throw new DomainError("invalid-request", { detail: `This version does not know how to call ${operation}.` });
}

async function finish(
  { blob, report, credits }: Result,
  { resultPath, sizeBytes, source }: { resultPath: string; sizeBytes: number; source: Uint8Array },
): Promise<Finished> {
  const [row] = report.files;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const [format, sourceFormat] = [sniffFormat(bytes), sniffFormat(source)];
  if (!row || !format || !sourceFormat)
    throw new NetworkLost("The server answered with something else than a picture.");
  await writeFile(resultPath, bytes);
  const { width = 0, height = 0, reason, nothingSaved, confidence } = row;
  const isTold = reason !== undefined && (row.outcome === "unchanged" || nothingSaved === true);
  const notes = isTold ? [...row.notes, reason] : row.notes;
  return {
    ...{ notes, confidence, credits: credits?.charged ?? 0 },
    source: { format: sourceFormat, sizeBytes },
    result: { format, width, height, sizeBytes: bytes.length },
  };
}

/** Results of test keys bear a mark, and are no results of others. */
async function readVersion({ origin, key }: Server): Promise<string> {
  const kind = key.split("_").slice(0, 2).join("_");
  return heeding(undefined, async () => {
    // Without the key, whose scopes may be for work alone.
    const answer = await fetch(`${origin}/api/config`, { signal: AbortSignal.timeout(versionTimeoutMs) });
    const body: unknown = await answer.json().catch(() => undefined);
    const told = body instanceof Object ? (body as Record<string, unknown>) : {}; // each field is checked where it is read
    if (answer.ok && typeof told["version"] === "string") return `${origin} ${kind} ${told["version"]}`;
    if (typeof told["code"] === "string" && isErrorCode(told["code"]))
      throw new DomainError(told["code"], typeof told["detail"] === "string" ? { detail: told["detail"] } : {});
    throw new NetworkLost(`${origin} does not answer as a Tintype server does.`);
  });
}

/** Runs a call of the client and puts its errors into the tools' own. */
async function heeding<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (problem) {
    signal?.throwIfAborted();
    if (problem instanceof TintypeError) {
      const { code, message: detail, smallestBytes, field, resetsAt } = problem;
      if (isErrorCode(code)) throw new DomainError(code, { detail, smallestBytes, field, resetsAt, cause: problem });
      throw new NetworkLost(detail, { cause: problem });
    }
    // fetch throws a TypeError where nothing answers, and a DOMException after its time.
    if (problem instanceof TypeError || (problem instanceof DOMException && problem.name === "TimeoutError"))
      throw new NetworkLost(
        "The server cannot be reached, or the connection broke. Check its address and the network, and try again.",
        { cause: problem },
      );
    throw problem;
  }
}
