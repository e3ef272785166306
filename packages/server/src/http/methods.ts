import { DomainError } from "@tintype/contract";
import type { FastifyInstance, HTTPMethods } from "fastify";

const known: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export type Routes = Map<string, Set<string>>;

/** Records the methods of each address below /api. Call it before anything is mounted there. */
export function noteRoutes(app: FastifyInstance): Routes {
  const routes: Routes = new Map();
  app.addHook("onRoute", ({ url, method }) => {
    // The operator's desk must not be revealed.
    if (!url.startsWith("/api/") || url.startsWith("/api/admin/")) return;
    const methods = routes.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    routes.set(url, methods);
  });
  return routes;
}

/** Responds to all other methods at these addresses with 405 and `Allow`. Call it after everything is mounted. */
export function refuseOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of [...routes]) {
    const allowed = [...methods].sort().join(", ");
    app.route({
      url,
      method: known.filter((method) => !methods.has(method)),
      // Before the body is read or the caller identified.
      async onRequest(_request, reply) {
        reply.header("allow", allowed);
        throw new DomainError("method-not-allowed");
      },
      handler: () => {},
    });
  }
}
