import { DomainError } from "@tintype/contract";
import type { FastifyInstance, HTTPMethods } from "fastify";

const known: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export type Routes = Map<string, Set<string>>;

/** Remembers which methods each address below /api takes. To be called before anything is mounted there. */
export function noteRoutes(app: FastifyInstance): Routes {
  const routes: Routes = new Map();
  app.addHook("onRoute", ({ url, method }) => {
    // Of the operator's desk nobody is told that there is one.
    if (!url.startsWith("/api/") || url.startsWith("/api/admin/")) return;
    const methods = routes.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    routes.set(url, methods);
  });
  return routes;
}

/** Answers every other method at these addresses with 405 and `Allow`. To be called when all is mounted. */
export function refuseOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of [...routes]) {
    const allowed = [...methods].sort().join(", ");
    app.route({
      url,
      method: known.filter((method) => !methods.has(method)),
      // Before a body is read or a caller looked up.
      async onRequest(_request, reply) {
        reply.header("allow", allowed);
        throw new DomainError("method-not-allowed");
      },
      handler: () => {},
    });
  }
}
