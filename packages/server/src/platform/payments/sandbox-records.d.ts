import type { RecordStore } from "@tintype/payment-sandbox";
import type { Database } from "../db/database.ts";
/** The payment sandbox's books in a table of our database. */
export declare function sandboxRecordStore(db: Database): RecordStore;
