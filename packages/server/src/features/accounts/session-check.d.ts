import type { Database } from "../../platform/db/database.ts";
import type { ConfirmIdentity } from "./token.ts";
/**
 * A token of the built-in provider counts while the session that it was made for (`sid`) is there: signing out and a new
 * password end it at once, on every process of the database. The person is as the database has them now.
 */
export declare function confirmBySession(db: Database): ConfirmIdentity;
