import { type OpenDatabase } from "./database.ts";
/** PostgreSQL by its address (`postgres://...`); brought to the present tables before it is handed out. */
export declare function openPostgres(connectionString: string): Promise<OpenDatabase>;
