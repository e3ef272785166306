import type { webhookEndpoints } from "../../platform/db/tables.ts";
type Row = Pick<typeof webhookEndpoints.$inferSelect, "id" | "secretVersion" | "previousUntil">;
export declare const secretOf: (row: Row, masterSecret: string) => string;
/** Those that a delivery is signed with: two while one takes the other's place. */
export declare function signingSecrets(row: Row, { masterSecret, now }: {
    masterSecret: string;
    now: Date;
}): string[];
export {};
