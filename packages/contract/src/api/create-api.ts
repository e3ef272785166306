import { type Address, type AddressParams, type AnswerTo, splitAddress } from "./address.ts";
import { ApiProblem, ConnectionLost } from "./problem.ts";

/**
 * Gives the bearer token of who is signed in, fresh enough to be sent; undefined for a guest. `refused` is one that the
 * server has just answered with 401: the next one is another.
 * @throws ApiProblem where the session has ended: a call of a person must not go out as a guest's
 */
export type TokenSource = (refused?: string) => Promise<string | undefined>;

/**
 * Asks the person to sign in again, where a call wants a fresh sign-in; whether they did. The call is then made once more.
 */
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

/** The API over fetch. Every method throws ApiProblem for a refusal and ConnectionLost where nothing came back. */
export type Api = {
  /** The parsed answer of a JSON call. */
  call<A extends Address>(address: A, options: CallOptions<A>): Promise<AnswerTo<A>>;
  /** The answer itself, for bytes and streams. */
  open<A extends Address>(address: A, options: CallOptions<A>): Promise<Response>;
  /** The URL and the headers of a path, for requests that fetch cannot make (progress of an upload). */
  locate(path: string, refused?: string): Promise<Place>;
};
type Place = { url: string; headers: Record<string, string>; bearer: string | undefined };

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
      // The server parses its answers by the same rows before it sends them; parsing twice would cost 31 KB of script.
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
