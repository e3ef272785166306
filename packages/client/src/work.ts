import { toCamel, toSnakeKey } from "./casing.ts";
import type { AskOptions, Connection } from "./connection.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { TintypeError } from "./error.ts";
import type { Client } from "./generated/client/index.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type { Job as ApiJob } from "./generated/types.gen.ts";
import { type Job, jobEvents } from "./job-events.ts";
import { retrying } from "./patience.ts";
import type { Platform } from "./platform.ts";
import { type Answer, type Result, resultOf } from "./result.ts";

/** `upload`: the share of the bytes that are sent. `work`: the share of the work that is done. */
export type Progress = { stage: "upload" | "work"; progress: number };

/** For calls with pictures. */
export type CallOptions = AskOptions & {
  /** A call that is made again under the same key, in another process too, is charged once. Each call has its own by default. */
  idempotencyKey?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * False: one call brings the pictures there and the result back, where the work takes up to 30 s. There is no progress of the work
   * then, and who gives up within that time is charged, and gets the result under the same `idempotencyKey`.
   */
  follow?: boolean | undefined;
};

/** The wish of a call: which, on which pictures, with which fields. */
export type Order<Input> = {
  call: FormCall;
  files: Input | readonly Input[];
  fields: Record<string, unknown>;
  /** Fields that are pictures, by their names in the API. */
  pictures: readonly string[];
  takesUrls: boolean;
};

/** A generated call with a form: only the form's place and its headers matter here. */
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
  /** Sends the pictures; the job goes on by itself. */
  start(order: Order<Input>, options?: CallOptions): Promise<Job>;
  download(jobId: string, options?: AskOptions): Promise<Result>;
};

/** A call that waits for longer gets the job, and follows it: proxies cut silent connections after a minute. */
const waitS = 30;
/** Convert of a picture that has the format already gives the picture without its metadata, in place of a message. */
const wantsPicture = "return=representation";
/** A caller who gives up does not know the job yet. Its answer is awaited for this long, to cancel it. */
const lingerMs = 1_000;
const cancelMs = 10_000;
/** The server answers a delivered job with `gone`; where that delivery was lost, the same key has it done again for free. */
const mostRounds = 3;

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
      .then(({ response }) => readAnswer(response));

  const cancel = (id: string) => {
    const signal = AbortSignal.timeout(cancelMs);
    // Nothing is left to do if it fails: results that are not fetched are deleted by themselves.
    sdk.cancelJob({ client, path: { id }, signal, throwOnError: true }).catch(() => undefined);
  };

  /** Sends the form until it is answered. A caller who aborts is let go at once, and the job is cancelled behind them. */
  const post = (sending: Sending, prefer: string, patience: Patience): Promise<Answer> => {
    const { deadline, onProgress } = patience;
    const isWaited = prefer.startsWith("wait");
    const { call, form, idempotencyKey } = sending;
    const connected = new AbortController();
    const onSent = onProgress && ((progress: number) => onProgress({ stage: "upload", progress }));
    const attempt = async () => {
      const { response } = await call({
        // The platform sends the form: Node.js cannot make a request of one safely.
        client,
        body: {},
        bodySerializer: () => "",
        parseAs: "stream",
        throwOnError: true,
        headers: { Prefer: prefer, "Idempotency-Key": idempotencyKey },
        signal: connected.signal,
        fetch: refusing((request) => platform.upload(request, form, onSent)),
      });
      return readAnswer(response);
    };
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const letGo = () => {
        reject(signal.reason);
        setTimeout(() => connected.abort(signal.reason), isWaited ? waitS * 1000 + lingerMs : lingerMs);
      };
      if (signal.aborted) return letGo();
      signal.addEventListener("abort", letGo, { once: true });
      retrying(attempt, patience)
        .then(async (answer) => {
          if (signal.aborted && answer.status === 202) cancel((await jobOf(answer)).id);
          resolve(answer);
        })
        .catch(reject)
        .finally(() => signal.removeEventListener("abort", letGo));
    });
  };

  const patienceOf = (deadline: Deadline, { retries, onProgress, onWait }: CallOptions): Patience => ({
    deadline,
    onWait,
    retries: retries ?? connection.retries,
    onProgress,
  });
  const timesOf = ({ timeoutMs = connection.timeoutMs, signal }: AskOptions) => ({ timeoutMs, signal });

  return {
    run: (order, options = {}) =>
      withDeadline(timesOf(options), async (deadline) => {
        const patience = patienceOf(deadline, options);
        const { signal } = deadline;
        const sending = await prepare(order, options, platform);
        // A caller who may abort, has little time, or wants to see the work, has to know the job at once.
        const isShort = (options.timeoutMs ?? connection.timeoutMs) < 2 * waitS * 1000;
        const isFollowed =
          options.follow ?? (options.signal !== undefined || options.onProgress !== undefined || isShort);
        const prefer = [isFollowed ? "respond-async" : `wait=${waitS}`, wantsPicture].join(", ");
        for (let round = 1; ; round++) {
          const answer = await post(sending, prefer, patience);
          if (answer.status !== 202) return resultOf(answer, sending.sent);
          const { id } = await jobOf(answer);
          try {
            for await (const { progress } of jobEvents(connection, id, { signal, retries: patience.retries }))
              options.onProgress?.({ stage: "work", progress });
            return await resultOf(await retrying(() => fetchResult(id, signal), patience), sending.sent);
          } catch (problem) {
            if (signal.aborted) cancel(id);
            const isGone = problem instanceof TintypeError && problem.code === "gone";
            if (!isGone || round === mostRounds) throw problem;
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
type Sending = { call: FormCall; form: FormData; sent: File[]; idempotencyKey: string };

async function prepare<Input>(
  { call, files, fields, pictures, takesUrls }: Order<Input>,
  { idempotencyKey = newKey() }: CallOptions,
  { open }: Platform<Input>,
): Promise<Sending> {
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

const readAnswer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  blob: await response.blob(),
});

const jobOf = async ({ blob }: Answer): Promise<Job> => toCamel(JSON.parse(await blob.text()) as ApiJob); // as 202 is described

/** randomUUID is missing on pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
