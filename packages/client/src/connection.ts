import { type Camel, toCamel } from "./casing.ts";
import { withDeadline } from "./deadline.ts";
import { errorFrom, networkError, TintypeError } from "./error.ts";
import { type Client, createClient, createConfig } from "./generated/client/index.ts";
import type { Platform } from "./platform.ts";
import { type OnWait, retrying } from "./wait-for-retry.ts";

export type TintypeOptions = {
  /**
   * An API key, or a function that returns a key or a fresh ID token. Without it the caller is a guest. A key that is
   * given but empty or undefined, as from an unset environment variable, is refused.
   */
  key?: string | (() => string | Promise<string>) | undefined;
  /**
   * The server's origin. A key needs it; guests default to a server on this machine, `http://localhost:3000`. In Node.js, plain http is
   * refused outside of private networks, and there it is a warning.
   */
  baseUrl?: string | undefined;
  /** Time limit of a call with pictures, including upload and queueing, ms. Ten minutes by default. */
  timeoutMs?: number | undefined;
  /** How often a call is retried after retryable failures. Five times by default; `Infinity` retries until `timeoutMs`. */
  retries?: number | undefined;
};

/** For every call. */
export type RequestOptions = {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /** Called before each wait for a retry, for example when the server limits the call rate. */
  onWait?: OnWait;
};

export type Connection = {
  client: Client;
  /** Wraps a platform's own way of sending requests. */
  refusing(send: (request: Request) => Promise<Response>): typeof fetch;
  timeoutMs: number;
  retries: number;
};

const workTimeoutMs = 600_000;
const requestTimeoutMs = 60_000;

export function openConnection(
  options: TintypeOptions,
  { explain, check }: Pick<Platform<unknown>, "explain" | "check"> = {},
): Connection {
  const { key, baseUrl = "http://localhost:3000", timeoutMs = workTimeoutMs, retries = 5 } = options;
  if ("key" in options && typeof key !== "function") requireKey(key, (message) => new TypeError(message));
  // Attack: whatever listens on this machine's port would be sent the key.
  if ("key" in options && options.baseUrl === undefined)
    throw new TypeError("Give baseUrl, the address of the server that the key belongs to.");
  // A browser also accepts a path on its page's own origin.
  if (!/^(https?:\/\/|\/|$)/i.test(baseUrl))
    throw new TypeError(`Give baseUrl as an address such as https://tintype.example, not ${JSON.stringify(baseUrl)}.`);
  const auth = typeof key === "function" ? async () => requireKey(await key(), refuseKey) : key;
  const refusing = refusingAt({ baseUrl, isNamed: options.baseUrl !== undefined, explain, check });
  const fetch = refusing((request) => globalThis.fetch(request));
  const client = createClient(createConfig({ baseUrl, auth, fetch, requestValidator: dropClient }));
  return { client, refusing, timeoutMs, retries };
}

/**
 * The generated calls pass all options to the constructor of Request. Deno's takes a `client` too, which is another thing,
 * and refuses ours. This is the only hook before it is called.
 */
async function dropClient(options: unknown): Promise<void> {
  delete (options as { client?: Client }).client; // the call's own copy of its options
}

/** Only a caller who passes no key is a guest: nobody becomes one by accident. */
function requireKey(key: string | undefined, refuse: (message: string) => Error): string {
  if (typeof key === "string" && key.trim() !== "") return key;
  throw refuse(
    `The key is ${key === undefined ? "undefined" : "empty"}. Give a key, or leave \`key\` out to call as a guest.`,
  );
}

const refuseKey = (message: string) => new TintypeError({ code: "unauthorized", message, retryable: false });

/**
 * Creates a fetch that throws a TintypeError for each refusal, for a response that is not the API's, and when no
 * response comes. The generated client always passes it a Request.
 */
function refusingAt({
  baseUrl,
  isNamed,
  explain,
  check,
}: {
  baseUrl: string;
  isNamed: boolean;
  explain: Platform<unknown>["explain"];
  check: Platform<unknown>["check"];
}): Connection["refusing"] {
  let hasAnswered = false;
  const lost = (problem: unknown): unknown => {
    if (!(problem instanceof TypeError)) return problem;
    // Do not retry the default server when it never answered.
    if (!isNamed && !hasAnswered)
      return networkError(problem, {
        message: `Nothing answers at ${baseUrl}, and no other address was given. Give that of your server as \`baseUrl\`.`,
        retryable: false,
      });
    return (
      explain?.(baseUrl, problem) ??
      networkError(problem, { message: `${baseUrl} cannot be reached, or the connection broke.` })
    );
  };
  return (send) => async (input) => {
    const request = input as Request;
    await check?.(baseUrl, request.signal);
    const response = await send(request).catch((problem: unknown) => {
      throw lost(problem);
    });
    hasAnswered = true;
    if (!response.ok || !isOfApi(response)) throw await errorFrom(response);
    return response;
  };
}

/** The API responds with JSON, pictures, a ZIP or events, never with a page as a proxy or another site does. */
const isOfApi = ({ headers }: Response): boolean =>
  /^(?:application\/(?:json|zip)|image\/|text\/event-stream|$)/.test(headers.get("content-type") ?? "");

/** The data of a call that returns JSON, with retries. */
export const requestJson = <Data>(
  { retries }: Connection,
  call: (signal: AbortSignal) => Promise<{ data: Data }>,
  options: RequestOptions = {},
): Promise<Camel<Data>> =>
  withDeadline({ timeoutMs: options.timeoutMs ?? requestTimeoutMs, signal: options.signal }, (deadline) =>
    retrying(async () => toCamel((await call(deadline.signal)).data), {
      deadline,
      retries: options.retries ?? retries,
      onWait: options.onWait,
    }),
  );
