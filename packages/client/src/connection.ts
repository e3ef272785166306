import { type Camel, toCamel } from "./casing.ts";
import { withDeadline } from "./deadline.ts";
import { errorFrom, networkError, TintypeError } from "./error.ts";
import { type Client, createClient, createConfig } from "./generated/client/index.ts";
import { type OnWait, retrying } from "./patience.ts";

export type TintypeOptions = {
  /**
   * An API key, or a function that gives a key or a fresh ID token. Where it is left out the caller is a guest; one that is given and
   * empty or undefined, as of an environment without the variable, is refused.
   */
  key?: string | (() => string | Promise<string>) | undefined;
  /** The server's origin. The default is a server on this machine, `http://localhost:3000`. */
  baseUrl?: string | undefined;
  /** The longest that work with pictures may take, upload and waiting in line included, ms. Ten minutes by default. */
  timeoutMs?: number | undefined;
  /** How often a call is retried after failures that can pass. Five times by default; `Infinity`: until `timeoutMs`. */
  retries?: number | undefined;
};

/** For every call. */
export type AskOptions = {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /** Told before each wait for a retry, as where the server limits the rate of calls. */
  onWait?: OnWait;
};

export type Connection = {
  client: Client;
  /** Sends a request; for those that a platform sends itself. */
  refusing(send: (request: Request) => Promise<Response>): typeof fetch;
  timeoutMs: number;
  retries: number;
};

const workTimeoutMs = 600_000;
const askTimeoutMs = 60_000;

export function openConnection(options: TintypeOptions): Connection {
  const { key, baseUrl = "http://localhost:3000", timeoutMs = workTimeoutMs, retries = 5 } = options;
  if ("key" in options && typeof key !== "function") requireKey(key, (message) => new TypeError(message));
  // A browser also takes a path of its own page's origin.
  if (!/^(https?:\/\/|\/|$)/i.test(baseUrl))
    throw new TypeError(`Give baseUrl as an address such as https://tintype.example, not ${JSON.stringify(baseUrl)}.`);
  const auth = typeof key === "function" ? async () => requireKey(await key(), refuseKey) : key;
  const refusing = refusingAt({ baseUrl, isNamed: options.baseUrl !== undefined });
  const fetch = refusing((request) => globalThis.fetch(request));
  return { client: createClient(createConfig({ baseUrl, auth, fetch })), refusing, timeoutMs, retries };
}

/** A caller without a key is a guest: nobody becomes one unawares. */
function requireKey(key: string | undefined, refuse: (message: string) => Error): string {
  if (typeof key === "string" && key.trim() !== "") return key;
  throw refuse(
    `The key is ${key === undefined ? "undefined" : "empty"}. Give a key, or leave \`key\` out to call as a guest.`,
  );
}

const refuseKey = (message: string) => new TintypeError({ code: "unauthorized", message, retryable: false });

/**
 * Makes a fetch that throws a TintypeError for each refusal, for an answer that is not the API's, and where no answer comes. The
 * generated client always gives it a Request.
 */
function refusingAt({ baseUrl, isNamed }: { baseUrl: string; isNamed: boolean }): Connection["refusing"] {
  let hasAnswered = false;
  const lost = (problem: unknown): unknown => {
    if (!(problem instanceof TypeError)) return problem;
    // Nobody waits for a server that they have not named.
    if (!isNamed && !hasAnswered)
      return networkError(problem, {
        message: `Nothing answers at ${baseUrl}, and no other address was given. Give that of your server as \`baseUrl\`.`,
        retryable: false,
      });
    return networkError(problem, { message: `${baseUrl} cannot be reached, or the connection broke.` });
  };
  return (send) => async (input) => {
    const answer = await send(input as Request).catch((problem: unknown) => {
      throw lost(problem);
    });
    hasAnswered = true;
    if (!answer.ok || !isOfApi(answer)) throw await errorFrom(answer);
    return answer;
  };
}

/** The API answers with data, pictures, a ZIP or events, never with a page as a proxy or another site does. */
const isOfApi = ({ headers }: Response): boolean =>
  /^(?:application\/(?:json|zip)|image\/|text\/event-stream|$)/.test(headers.get("content-type") ?? "");

/** The data of a call that answers with JSON, retried. */
export const askJson = <Data>(
  { retries }: Connection,
  call: (signal: AbortSignal) => Promise<{ data: Data }>,
  options: AskOptions = {},
): Promise<Camel<Data>> =>
  withDeadline({ timeoutMs: options.timeoutMs ?? askTimeoutMs, signal: options.signal }, (deadline) =>
    retrying(async () => toCamel((await call(deadline.signal)).data), {
      deadline,
      retries: options.retries ?? retries,
      onWait: options.onWait,
    }),
  );
