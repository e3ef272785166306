import type { PublicConfig } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { JWTVerifyGetKey } from "jose";
import type { Config } from "../config.ts";
import { type IdentityProvider } from "../features/accounts/identity-provider.ts";
import { type ConfirmIdentity, type TokenRules } from "../features/accounts/token.ts";
import type { SiteOptions } from "../http/site.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { Outbox } from "../platform/mail-outbox.ts";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
export type IdentityChoice = {
    rules: TokenRules;
    keys: JWTVerifyGetKey;
    confirm?: ConfirmIdentity;
    /** Only where the built-in provider is the one. */
    provider?: IdentityProvider;
    settings: PublicConfig["identity"];
    /** Origins that the site's pages must reach for it. */
    allowed: SiteOptions["allowed"];
};
type IdentityDependencies = {
    db: Database;
    clock: Clock;
    log: FastifyBaseLogger;
    outbox: Outbox;
    rateLimits: RateLimits;
    verifiesAddresses: boolean;
};
/** Whose tokens count here: Firebase or another OpenID Connect issuer where one is configured, else our own provider. */
export declare function chooseIdentity(config: Config, use: IdentityDependencies): IdentityChoice;
export {};
