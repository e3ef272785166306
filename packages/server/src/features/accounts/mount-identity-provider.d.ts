import type { FastifyInstance } from "fastify";
import { type IdentityProvider } from "./identity-provider.ts";
/** The provider speaks fetch: it gets a Request made from the raw body, and its Response is copied back. */
export declare function mountIdentityProvider(app: FastifyInstance, { provider, origin }: {
    provider: IdentityProvider;
    origin: string;
}): Promise<void>;
