import { type PublicConfig } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";
export type PublicSettings = Pick<PublicConfig, "version" | "identity" | "payments">;
/** `GET /config`. Usage is asked for by a function, since credits stand above accounts. */
export declare function mountConfig(mount: Mount, { settings, usageOf, }: {
    settings: PublicSettings;
    usageOf(caller: Caller): Promise<{
        used: number;
        limit: number;
    }>;
}): void;
