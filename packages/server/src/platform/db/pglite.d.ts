import { type OpenDatabase } from "./database.ts";
/** The database's place: a folder that outlives the process, or memory, from a copy of another if one is given. */
export type PglitePlace = {
    folder: string;
} | {
    copyOf?: Blob;
};
/**
 * PostgreSQL inside this process, kept in a folder or in memory.
 * It survives a killed process; it never calls fsync, so a power cut can cost the last moments.
 * @throws Error when another process has the folder open: PGlite itself would let both write and break it
 */
export declare function openPglite(place?: PglitePlace): Promise<OpenDatabase>;
