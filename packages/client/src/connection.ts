import { type Camel, toCamel } from "./casing.ts";
import { withDeadline } from "./deadline.ts";
import { errorFrom } from "./error.ts";
import { type Client, createClient, createConfig } from "./generated/client/index.ts";
import { retrying } from "./retry.ts";

export type TintypeOptions = {
  /** An API key, or a function that gives a key or a fresh ID token. Without one the caller is a guest. */
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
};

export type Connection = { client: Client; timeoutMs: number; retries: number };

const workTimeoutMs = 600_000;
const askTimeoutMs = 60_000;

export function openConnection(options: TintypeOptions): Connection {
  const { key, baseUrl = "http://localhost:3000", timeoutMs = workTimeoutMs, retries = 5 } = options;
  // A browser also takes a path of its own page's origin.
  if (!/^(https?:\/\/|\/|$)/i.test(baseUrl))
    throw new TypeError(`Give baseUrl as an address such as https://tintype.example, not ${JSON.stringify(baseUrl)}.`);
  const auth = typeof key === "function" ? () => key() : key;
  const fetch = refusing((request) => globalThis.fetch(request));
  return { client: createClient(createConfig({ baseUrl, auth, fetch })), timeoutMs, retries };
}

/** A fetch that throws a TintypeError for each refusal, and for an answer that is not the API's. The generated client always gives it a Request. */
export const refusing =
  (send: (request: Request) => Promise<Response>): typeof fetch =>
  async (input) => {
    const answer = await send(input as Request);
    if (!answer.ok || !isOfApi(answer)) throw await errorFrom(answer);
    return answer;
  };

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
    }),
  );
