import type { FastifyInstance } from "fastify";
export type Routes = Map<string, Set<string>>;
/** Remembers which methods each address below /api takes. To be called before anything is mounted there. */
export declare function noteRoutes(app: FastifyInstance): Routes;
/** Answers every other method at these addresses with 405 and `Allow`. To be called when all is mounted. */
export declare function refuseOtherMethods(app: FastifyInstance, routes: Routes): void;
