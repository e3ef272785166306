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
export class PgliteSocket extends Duplex {
  readonly #database: PGlite;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  /** Whatever a connection before this one left is undone: PGlite has one session for all. */
  connect(): this {
    this.#database
      .exec("rollback; deallocate all")
      .then(() => this.emit("connect"))
      .catch((problem: Error) => this.destroy(problem));
    return this;
  }

  override _read(): void {
    // Answers are pushed as they come.
  }

  override _write(message: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#send(message, done);
  }

  /** All messages of one statement: node-postgres corks them. */
  override _writev(messages: { chunk: Buffer }[], done: Done): void {
    this.#send(Buffer.concat(messages.map(({ chunk }) => chunk)), done);
  }

  /** PGlite answers before it returns, and node-postgres is not ready for that: the answer is read a moment later. */
  #send(message: Buffer, done: Done): void {
    const answer: Buffer[] = [];
    this.#database
      .execProtocolRawStream(message, { onRawData: (bytes) => answer.push(Buffer.from(bytes)) })
      .then(() => {
        done();
        this.push(Buffer.concat(answer));
      }, done);
  }

  // Methods that node-postgres calls on a socket and that mean nothing here.
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
