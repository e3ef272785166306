/** Calls that exist to return a token or a key: an ID token for the API, public keys. */
const tokenPaths = new Set(["/idp/token", "/idp/jwks"]);

/**
 * better-auth returns the session's token in response bodies, where an injected script could steal it. The HttpOnly cookie
 * carries it already, so it is removed from the bodies.
 */
export async function hideSessionTokens(pathname: string, response: Response): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || tokenPaths.has(pathname)) return response;
  if (type.includes("application/json")) {
    const body: unknown = await response.json();
    return withBody(response, JSON.stringify(withoutToken(body, "session")));
  }
  // The last page of Google's popup posts its data to its opener, which then asks the provider who is signed in. The token is not needed.
  if (type.includes("text/html")) return withBody(response, (await response.text()).replace(/"token":"[^"]*",?/, ""));
  return response;
}

function withBody({ status, headers }: Response, body: string): Response {
  headers.delete("content-length");
  return new Response(body, { status, headers });
}

/** The object without its `token`, and without that of the nested object `inner`. */
function withoutToken(value: unknown, inner?: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "token");
  return Object.fromEntries(entries.map(([name, held]) => [name, name === inner ? withoutToken(held) : held]));
}
