import { toCamel, toSnakeKey } from "./casing.ts";
import type { Connection, RequestOptions } from "./connection.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { TintypeError } from "./error.ts";
import type { Client } from "./generated/client/index.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type { Job as ApiJob } from "./generated/types.gen.ts";
import { type Job, jobEvents } from "./job-events.ts";
import type { Platform } from "./platform.ts";
import { type Answer, type Result, resultOf } from "./result.ts";
import { retrying } from "./wait-for-retry.ts";

/** `upload`: the share of the bytes that have been sent. `work`: the share of the work that is done. */
export type Progress = { stage: "upload" | "work"; progress: number };

/** For calls with pictures. */
export type CallOptions = RequestOptions & {
  /** Calls repeated under the same key, in another process too, are charged once. By default each call has its own key. */
  idempotencyKey?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** False: a single call uploads the pictures and returns the result, for work that takes up to 30 s, without its progress. */
  follow?: boolean | undefined;
};

/** What a call sends: operation, pictures and fields. */
export type Order<Input> = {
  call: FormCall;
  files: Input | readonly Input[];
  fields: Record<string, unknown>;
  /** Fields that hold pictures, by their API names. */
  pictures: readonly string[];
  takesUrls: boolean;
};

/** A generated call with a form: only its path and headers matter here. */
export type FormCall = (options: {
  client: Client;
  body: object;
  bodySerializer: () => string;
  headers: Record<string, string>;
  parseAs: "stream";
  signal: AbortSignal;
  throwOnError: true;
  fetch: typeof fetch;
}) => Promise<{ response: Response }>;

export type Work<Input> = {
  /** Sends the pictures and waits for their results. */
  run(order: Order<Input>, options?: CallOptions): Promise<Result>;
  /** Sends the pictures; the job runs in the background. */
  start(order: Order<Input>, options?: CallOptions): Promise<Job>;
  download(jobId: string, options?: RequestOptions): Promise<Result>;
};

/** A call that takes longer returns the job, which is then followed: proxies cut silent connections after a minute. */
const waitS = 30;
/** Convert, for a picture that already has the format, returns the picture without its metadata instead of a message. */
const wantsPicture = "return=representation";
/** The server cancels and refunds work whose connection ends before its result is on its way. */
const cancelOnDisconnect = "cancel-on-disconnect";
/** A caller who aborts an asynchronous call early does not know the job yet. Wait this long for the response, to cancel it. */
const lingerMs = 1_000;
const cancelMs = 10_000;
/** The server answers `gone` for a delivered job; if that delivery was lost, the same key repeats the work for free. */
const maxAttempts = 3;

export function createWork<Input>(connection: Connection, platform: Platform<Input>): Work<Input> {
  const { client, refusing } = connection;

  const fetchResult = (id: string, signal: AbortSignal): Promise<Answer> =>
    sdk
      .jobResult({
        client,
        path: { id },
        parseAs: "stream",
        signal,
        throwOnError: true,
        headers: { Prefer: wantsPicture },
      })
      .then(({ response }) => readResponse(response));

  const cancel = (id: string) => {
    const signal = AbortSignal.timeout(cancelMs);
    // If this fails, nothing is left to do: results that are not fetched expire.
    sdk.cancelJob({ client, path: { id }, signal, throwOnError: true }).catch(() => undefined);
  };

  /** Sends the form until it is answered. A caller who aborts returns at once, and the job is cancelled in the background. */
  const post = (sending: FormRequest, prefer: string, patience: Patience): Promise<Answer> => {
    const { deadline, onProgress } = patience;
    const endsWithConnection = prefer.includes(cancelOnDisconnect);
    const { call, form, idempotencyKey } = sending;
    const connected = new AbortController();
    const onSent = onProgress && ((progress: number) => onProgress({ stage: "upload", progress }));
    const attempt = async () => {
      const { response } = await call({
        // The platform sends the form: Node.js cannot safely build a Request from one.
        client,
        body: {},
        bodySerializer: () => "",
        parseAs: "stream",
        throwOnError: true,
        headers: { Prefer: prefer, "Idempotency-Key": idempotencyKey },
        signal: connected.signal,
        fetch: refusing((request) => platform.upload(request, form, onSent)),
      });
      return readResponse(response);
    };
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const detach = () => {
        reject(signal.reason);
        if (endsWithConnection) connected.abort(signal.reason);
        else setTimeout(() => connected.abort(signal.reason), lingerMs);
      };
      if (signal.aborted) return detach();
      signal.addEventListener("abort", detach, { once: true });
      retrying(attempt, patience)
        .then(async (response) => {
          if (signal.aborted && response.status === 202) cancel((await jobOf(response)).id);
          resolve(response);
        })
        .catch(reject)
        .finally(() => signal.removeEventListener("abort", detach));
    });
  };

  const patienceOf = (deadline: Deadline, { retries, onProgress, onWait }: CallOptions): Patience => ({
    deadline,
    onWait,
    retries: retries ?? connection.retries,
    onProgress,
  });
  const timesOf = ({ timeoutMs = connection.timeoutMs, signal }: RequestOptions) => ({ timeoutMs, signal });

  return {
    run: (order, options = {}) =>
      withDeadline(timesOf(options), async (deadline) => {
        const patience = patienceOf(deadline, options);
        const { signal } = deadline;
        const sending = await prepare(order, options, platform);
        // A caller who may abort, has little time, or wants progress needs the job at once.
        const isShort = (options.timeoutMs ?? connection.timeoutMs) < 2 * waitS * 1000;
        const isFollowed =
          options.follow ?? (options.signal !== undefined || options.onProgress !== undefined || isShort);
        const prefer = [isFollowed ? "respond-async" : `wait=${waitS}, ${cancelOnDisconnect}`, wantsPicture].join(", ");
        for (let round = 1; ; round++) {
          const response = await post(sending, prefer, patience);
          if (response.status !== 202) return resultOf(response, sending.sent);
          const { id } = await jobOf(response);
          try {
            for await (const { progress } of jobEvents(connection, id, { signal, retries: patience.retries }))
              options.onProgress?.({ stage: "work", progress });
            return await resultOf(await retrying(() => fetchResult(id, signal), patience), sending.sent);
          } catch (problem) {
            if (signal.aborted) cancel(id);
            const isGone = problem instanceof TintypeError && problem.code === "gone";
            if (!isGone || round === maxAttempts) throw problem;
          }
        }
      }),

    start: (order, options = {}) =>
      withDeadline(timesOf(options), async (deadline) => {
        const sending = await prepare(order, options, platform);
        return jobOf(await post(sending, "respond-async", patienceOf(deadline, options)));
      }),

    download: (id, options = {}) =>
      withDeadline(timesOf(options), async (deadline) =>
        resultOf(await retrying(() => fetchResult(id, deadline.signal), patienceOf(deadline, options)), []),
      ),
  };
}

type Patience = {
  deadline: Deadline;
  retries: number;
  onProgress: CallOptions["onProgress"];
  onWait: CallOptions["onWait"];
};
type FormRequest = { call: FormCall; form: FormData; sent: File[]; idempotencyKey: string };

async function prepare<Input>(
  { call, files, fields, pictures, takesUrls }: Order<Input>,
  { idempotencyKey = newKey() }: CallOptions,
  { open }: Platform<Input>,
): Promise<FormRequest> {
  const form = new FormData();
  const sent: File[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const field = toSnakeKey(name);
    if (!pictures.includes(field)) form.append(field, String(value));
    else form.append(field, await openPicture(open, value as Input)); // by the type of the operation's options
  }
  for (const input of isList(files) ? files : [files]) {
    const file = await open(input);
    if (file instanceof File) {
      form.append("files", file);
      sent.push(file);
    } else if (takesUrls) form.append("image_url", file.href);
    else throw new TypeError("This call takes no addresses. Give the picture itself.");
  }
  return { call, form, sent, idempotencyKey };
}

const isList = <Input>(files: Input | readonly Input[]): files is readonly Input[] => Array.isArray(files);

async function openPicture<Input>(open: Platform<Input>["open"], input: Input): Promise<File> {
  const file = await open(input);
  if (file instanceof File) return file;
  throw new TypeError("Only `files` can be addresses. Give the picture itself.");
}

const readResponse = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  blob: await response.blob(),
});

const jobOf = async ({ blob }: Answer): Promise<Job> => toCamel(JSON.parse(await blob.text()) as ApiJob); // the API describes 202 so

/** randomUUID is missing on pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
