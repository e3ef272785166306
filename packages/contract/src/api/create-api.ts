import { type Address, type AddressParams, type AnswerTo, splitAddress } from "./address.ts";
import { ApiProblem, ConnectionLost } from "./problem.ts";

/**
 * Returns an unexpired bearer token of the signed-in person, or undefined for a guest. `refused` is a token that the server
 * has just rejected with 401. The returned token differs from it.
 * @throws ApiProblem if the session has ended: a person's call must not be sent as a guest's
 */
export type TokenSource = (refused?: string) => Promise<string | undefined>;

/** Asks the person to sign in again when a call needs a fresh sign-in. Returns whether they did; the call is then repeated. */
export type SignInAgain = () => Promise<boolean>;

type CallOptions<A extends Address> = AddressParams<A> & Payload;
type Payload = {
  query?: Record<string, string | number | undefined>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

type AnyOptions = Payload & { params?: Record<string, string | number> | undefined };

/** The API over fetch. Every method throws ApiProblem for an error response and ConnectionLost if no response arrived. */
export type Api = {
  /** Returns the parsed JSON response. */
  call<A extends Address>(address: A, options: CallOptions<A>): Promise<AnswerTo<A>>;
  /** Returns the response itself, for bytes and streams. */
  open<A extends Address>(address: A, options: CallOptions<A>): Promise<Response>;
  /** Returns the URL and headers of a path, for requests that fetch cannot make (upload progress). */
  locate(path: string, refused?: string): Promise<RequestTarget>;
};
type RequestTarget = { url: string; headers: Record<string, string>; bearer: string | undefined };

export function createApi({
  base,
  token,
  signInAgain = async () => false,
}: {
  base: string;
  token: TokenSource;
  signInAgain?: SignInAgain;
}): Api {
  const root = base.replace(/\/+$/, "");

  const locate: Api["locate"] = async (path, refused) => {
    const bearer = await token(refused);
    return { url: root + path, headers: bearer ? { authorization: `Bearer ${bearer}` } : {}, bearer };
  };

  const send = async (address: Address, options: AnyOptions, refused?: string): Promise<Response> => {
    const { params, query, json, form, headers, signal } = options;
    const { method, path } = splitAddress(address, params);
    const place = await locate(path + searchOf(query), refused);
    const response = await fetch(place.url, {
      method,
      credentials: "include",
      headers: { ...place.headers, ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body: json === undefined ? (form ?? null) : JSON.stringify(json),
      signal: signal ?? null,
    }).catch((problem: unknown) => {
      signal?.throwIfAborted();
      throw new ConnectionLost(problem);
    });
    const { bearer } = place;
    return response.status === 401 && bearer && bearer !== refused ? send(address, options, bearer) : response;
  };

  const openOnce: Api["open"] = async (address, options) => {
    const response = await send(address, options);
    if (response.ok) return response;
    const { problemFrom } = await import("./read-problem.ts");
    throw problemFrom({
      status: response.status,
      body: await response.text().catch(() => ""),
      retryAfter: response.headers.get("retry-after"),
    });
  };

  const open: Api["open"] = async (address, options) => {
    try {
      return await openOnce(address, options);
    } catch (problem) {
      const isStale = problem instanceof ApiProblem && problem.code === "fresh-sign-in-required";
      if (isStale && (await signInAgain())) return openOnce(address, options);
      throw problem;
    }
  };

  return {
    open,
    locate,
    async call(address, options) {
      const response = await open(address, options);
      const body = await response.text().catch((problem: unknown) => {
        throw new ConnectionLost(problem);
      });
      // The server validates responses with the same rows before it sends them. Validating again would cost 31 KB of script.
      return (body === "" ? undefined : JSON.parse(body)) as AnswerTo<typeof address>;
    },
  };
}

function searchOf(query: Record<string, string | number | undefined> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
