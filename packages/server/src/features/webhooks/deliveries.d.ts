import { type WebhookDeliveries, type WebhookDelivery } from "@tintype/contract";
import type { Endpoints } from "./endpoints.ts";
/** An account's deliveries, the newest first; a job's go with its row, a day after its end. @throws invalid-request */
export declare function listDeliveries({ db }: Endpoints, accountId: string, { before, size }: {
    before?: string | undefined;
    size: number;
}): Promise<WebhookDeliveries>;
/** Sends a delivery again, from the first attempt on. @throws not-found, conflict */
export declare function replayDelivery({ db, clock }: Endpoints, accountId: string, id: string): Promise<WebhookDelivery>;
