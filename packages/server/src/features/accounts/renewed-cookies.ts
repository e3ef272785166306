import { createHmac } from "node:crypto";
import { isSameText } from "../../platform/same-text.ts";

/**
 * Re-signs the request's cookies with `secret` if `previousSecret` signed them: better-auth knows only one secret. A
 * signed cookie is `value.signature`, percent-encoded, the signature being HMAC-SHA-256 in base64.
 */
export function withRenewedCookies(
  request: Request,
  { secret, previousSecret }: { secret: string; previousSecret: string | undefined },
): Request {
  const cookies = request.headers.get("cookie");
  if (previousSecret === undefined || cookies === null) return request;
  const renewed = cookies.split("; ").map((cookie) => {
    const [, name, value = ""] = /^([^=]+)=(.*)$/s.exec(cookie) ?? [];
    const [, text, signature] = /^(.*)[.]([\w+/]{43}=)$/s.exec(decoded(value)) ?? [];
    if (name === undefined || text === undefined || signature === undefined) return cookie;
    if (!isSameText(signature, sign(text, previousSecret))) return cookie;
    return `${name}=${encodeURIComponent(`${text}.${sign(text, secret)}`)}`;
  });
  const headers = new Headers(request.headers);
  headers.set("cookie", renewed.join("; "));
  return new Request(request, { headers });
}

const sign = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("base64");

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
