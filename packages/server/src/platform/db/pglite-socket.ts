import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";

type WriteCallback = (problem?: Error | null) => void;

/**
 * A socket to the embedded database for node-postgres (its option `stream`): PostgreSQL's messages that are written go
 * to PGlite as they come, and its answers can be read.
 *
 * PGlite's own client speaks to it in six calls a statement, and drizzle's driver for it copies some hundred parsers
 * for each; this way a statement is one call, and is parsed and planned once, at a quarter of the cost (docs/decisions/0007).
 */
export class PgliteSocket extends Duplex {
  readonly #database: PGlite;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  /** Rolls back whatever the previous connection left: PGlite has one session for all. */
  connect(): this {
    this.#database
      .exec("rollback; deallocate all")
      .then(() => this.emit("connect"))
      .catch((problem: Error) => this.destroy(problem));
    return this;
  }

  override _read(): void {
    // Replies are pushed as they arrive.
  }

  override _write(message: Buffer, _encoding: BufferEncoding, done: WriteCallback): void {
    this.#send(message, done);
  }

  /** All messages of one statement: node-postgres corks them. */
  override _writev(messages: { chunk: Buffer }[], done: WriteCallback): void {
    this.#send(Buffer.concat(messages.map(({ chunk }) => chunk)), done);
  }

  /** PGlite replies synchronously, which node-postgres does not expect: the reply is delivered a moment later. */
  #send(message: Buffer, done: WriteCallback): void {
    const response: Buffer[] = [];
    this.#database
      .execProtocolRawStream(message, {
        // Its files are written as it goes: there is no copy to bring up to date.
        syncToFs: false,
        onRawData: (bytes) => response.push(Buffer.from(bytes)),
      })
      .then(() => {
        done();
        this.push(Buffer.concat(response));
      }, done);
  }

  // Socket methods that node-postgres calls and that have no effect here.
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
