import { type Webhook, type WebhookSecret, type WebhookWithSecret } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
export type Endpoints = {
    db: Database;
    clock: Clock;
    masterSecret: string;
};
export declare function listWebhooks({ db }: Endpoints, accountId: string): Promise<Webhook[]>;
/** @throws conflict where there are too many */
export declare function makeWebhook({ db, clock, masterSecret }: Endpoints, accountId: string, url: string): Promise<WebhookWithSecret>;
/** @throws not-found */
export declare function removeWebhook({ db }: Endpoints, accountId: string, id: string): Promise<void>;
/** @throws not-found */
export declare function rotateWebhook(use: Endpoints, accountId: string, { id, overlapHours }: {
    id: string;
    overlapHours: number;
}): Promise<WebhookWithSecret>;
/** The account's own secret, which signs what goes to the `webhook_url` of single calls. */
export declare function accountSecret(use: Endpoints, accountId: string): Promise<WebhookSecret>;
export declare function rotateAccountSecret(use: Endpoints, accountId: string, overlapHours: number): Promise<WebhookSecret>;
/** Makes the row that stands for single calls, unless it is there. */
export declare function keepAccountEndpoint(db: Queryable, { accountId, now }: {
    accountId: string;
    now: Date;
}): Promise<void>;
export declare const ofSingleCalls: (accountId: string) => import("drizzle-orm").SQL<unknown> | undefined;
