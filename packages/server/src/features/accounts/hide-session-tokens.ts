/** Calls whose answer is a token or a key by nature: an ID token for the API, public keys. */
const speakOfTokens = new Set(["/idp/token", "/idp/jwks"]);

/**
 * better-auth tells the session's token in its answers, and a script that found its way into a page could carry it away. The cookie
 * has it, which no script reads: the answers lose it.
 */
export async function hideSessionTokens(pathname: string, answer: Response): Promise<Response> {
  const type = answer.headers.get("content-type") ?? "";
  if (!answer.body || speakOfTokens.has(pathname)) return answer;
  if (type.includes("application/json")) {
    const body: unknown = await answer.json();
    return withBody(answer, JSON.stringify(withoutToken(body, "session")));
  }
  // The last page of Google's window posts what it has to the page that opened it; that asks the provider who is signed in.
  if (type.includes("text/html")) return withBody(answer, (await answer.text()).replace(/"token":"[^"]*",?/, ""));
  return answer;
}

function withBody({ status, headers }: Response, body: string): Response {
  headers.delete("content-length");
  return new Response(body, { status, headers });
}

/** The object without its `token`, and without that of the object under `inner`. */
function withoutToken(value: unknown, inner?: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "token");
  return Object.fromEntries(entries.map(([name, held]) => [name, name === inner ? withoutToken(held) : held]));
}
