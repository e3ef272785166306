import type { Database } from "../../platform/db/database.ts";
import { idpJwks } from "../../platform/db/tables.ts";
export declare const signingAlgorithm = "RS256";
type NewKey = Omit<typeof idpJwks.$inferInsert, "id">;
/**
 * Keeps a new signing key, or answers the living one where another process was quicker. One of all processes on the
 * database is here at a time: with two keys made at once, a verifier that has read the first would refuse the second.
 */
export declare function keepSigningKey(db: Database, key: NewKey): Promise<typeof idpJwks.$inferSelect>;
export {};
