import { type Caller, createCaller } from "./harness.ts";

type Answer = { status: number; body: Record<string, unknown> | null; session: string };
export type BuiltIn = {
  /** A call of the built-in identity provider, as a page of the site makes it. */
  ask(path: string, call?: { json?: object; session?: string; headers?: Record<string, string> }): Promise<Answer>;
  signUp(email: string, more?: object): Promise<Answer>;
  signIn(email: string, password: string): Promise<Answer>;
  /** An ID token of a session. */
  token(session: string): Promise<string>;
  /** A caller of the API with a token of the session. */
  caller(session: string): Promise<Caller>;
};

export const testPassword = "secret-123";

/** The built-in identity provider of a service, by its sessions. */
export function builtInOf({ baseUrl }: { baseUrl: string }, origin: string): BuiltIn {
  let calls = 0;
  const ask: BuiltIn["ask"] = async (path, { json, session, headers = {} } = {}) => {
    const answer = await fetch(`${baseUrl}/idp${path}`, {
      method: json ? "POST" : "GET",
      headers: {
        origin,
        // Behind a trusted proxy each call comes from elsewhere and stays below the provider's limits by address.
        "x-forwarded-for": `10.0.${Math.floor(++calls / 250)}.${calls % 250}`,
        ...(json ? { "content-type": "application/json" } : {}),
        ...(session ? { authorization: `Bearer ${session}` } : {}),
        ...headers,
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
      redirect: "manual",
    });
    const body = (await answer.json().catch(() => null)) as Answer["body"]; // an object or nothing
    return { status: answer.status, body, session: answer.headers.get("set-auth-token") ?? "" };
  };
  const token = async (session: string) => String((await ask("/token", { session })).body?.["token"]);
  return {
    ask,
    signUp: (email, more = {}) =>
      ask("/sign-up/email", { json: { name: "Ann Lee", email, password: testPassword, ...more } }),
    signIn: (email, password) => ask("/sign-in/email", { json: { email, password } }),
    token,
    caller: async (session) => createCaller(baseUrl, await token(session)),
  };
}
