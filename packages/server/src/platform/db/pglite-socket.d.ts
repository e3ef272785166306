import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";
type Done = (problem?: Error | null) => void;
/**
 * A connection to the embedded database that node-postgres takes for one to a server (its option `stream`): what is
 * written are PostgreSQL's messages, handed to PGlite as they come, and its answers can be read.
 *
 * PGlite's own client speaks to it in six calls a statement, and drizzle's driver for it copies some hundred parsers
 * for each; this way a statement is one call, and is parsed and planned once, at a quarter of the cost (docs/decisions/0007).
 */
export declare class PgliteSocket extends Duplex {
    #private;
    constructor(database: PGlite);
    /** Whatever a connection before this one left is undone: PGlite has one session for all. */
    connect(): this;
    _read(): void;
    _write(message: Buffer, _encoding: BufferEncoding, done: Done): void;
    /** All messages of one statement: node-postgres corks them. */
    _writev(messages: {
        chunk: Buffer;
    }[], done: Done): void;
    setNoDelay(): this;
    setKeepAlive(): this;
    ref(): this;
    unref(): this;
}
export {};
