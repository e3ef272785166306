import { DomainError } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientAddressHeader } from "./built-in-issuer.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/** The provider uses the fetch API: it gets a Request built from the raw body, and its Response is copied back. */
export async function mountIdentityProvider(
  app: FastifyInstance,
  { provider, origin }: { provider: IdentityProvider; origin: string },
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 100_000 }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ["GET", "POST"],
      url: "/idp/*",
      async handler(request, reply) {
        const headers = new Headers();
        for (const [name, value] of Object.entries(request.headers))
          for (const one of [value ?? []].flat()) headers.append(name, one);
        headers.set(clientAddressHeader, request.ip);
        const body = request.body instanceof Buffer && request.body.length > 0 ? new Uint8Array(request.body) : null;
        if (hasNul(request)) throw new DomainError("invalid-request");
        const response = await provider.handler(
          new Request(new URL(request.url, origin), { method: request.method, headers, body }),
        );
        if (leadsElsewhere(response.headers.get("location"))) throw new DomainError("invalid-request");
        reply.code(response.status);
        for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
        const cookies = response.headers.getSetCookie();
        if (cookies.length > 0) reply.header("set-cookie", cookies);
        reply.header("cache-control", "no-store");
        // Google's popup must keep its opener. Any policy here breaks the popup sign-in.
        reply.removeHeader("cross-origin-opener-policy");
        return reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : null);
      },
    });
  });
}

/**
 * Open redirect: a `callbackURL` of `/.//evil.example` passes as one of our paths, but better-auth redirects to
 * `//evil.example`, which a browser resolves to another site.
 */
const leadsElsewhere = (location: string | null): boolean => /^[/\\]{2}/.test(location ?? "");

/** PostgreSQL cannot store NUL in text, so a NUL in a name would become a server error. JSON writes it as an escape. */
function hasNul({ url, body, headers }: FastifyRequest): boolean {
  const text = body instanceof Buffer ? body.toString("latin1") : "";
  const nulEscape = headers["content-type"]?.includes("urlencoded") ? /%00/ : /(?<!\\)(\\\\)*\\u0000/;
  return url.includes("%00") || text.includes("\0") || nulEscape.test(text);
}
