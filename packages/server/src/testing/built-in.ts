import { createHmac } from "node:crypto";
import { createCaller, type TestCaller } from "./harness.ts";

type Answer = { status: number; body: Record<string, unknown> | null; session: string };
export type BuiltIn = {
  /** A call of the built-in identity provider, as a page of the site makes it. */
  ask(path: string, call?: { json?: object; session?: string; headers?: Record<string, string> }): Promise<Answer>;
  signUp(email: string, more?: object): Promise<Answer>;
  signIn(email: string, password: string): Promise<Answer>;
  /** An ID token for a session. */
  token(session: string): Promise<string>;
  /** An API caller with a token of the session. */
  caller(session: string): Promise<TestCaller>;
};

/** The cookies that a response sets, as the browser sends them back, including the session if it opened one. */
export const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter((line) => !/Max-Age=0/i.test(line))
    .map((line) => line.split(";")[0])
    .join("; ");

export const testPassword = "secret-123";

/** The built-in identity provider of a service, by its sessions. */
export function builtInOf({ baseUrl }: { baseUrl: string }, origin: string): BuiltIn {
  let calls = 0;
  const ask: BuiltIn["ask"] = async (path, { json, session, headers = {} } = {}) => {
    const answer = await fetch(`${baseUrl}/idp${path}`, {
      method: json ? "POST" : "GET",
      headers: {
        origin,
        // Behind a trusted proxy each call has another address, and stays below the provider's limits by address.
        "x-forwarded-for": `10.0.${Math.floor(++calls / 250)}.${calls % 250}`,
        ...(json ? { "content-type": "application/json" } : {}),
        ...(session ? { cookie: session } : {}),
        ...headers,
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
      redirect: "manual",
    });
    const body = (await answer.json().catch(() => null)) as Answer["body"]; // an object or nothing
    return { status: answer.status, body, session: cookiesOf(answer) };
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

/** RFC 6238 code for the secret of an `otpauth:` address: six digits, SHA-1, 30 s. `ahead`: of a later step, since each works once. */
export function totpOf(uri: string, ahead = 0): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...(new URL(uri).searchParams.get("secret") ?? "").replace(/=+$/, "")]
    .map((one) => alphabet.indexOf(one).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac("sha1", key).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
