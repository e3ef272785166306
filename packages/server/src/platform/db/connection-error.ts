import { DrizzleQueryError } from "drizzle-orm/errors";

/** Node's codes for sockets and names. */
const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** PostgreSQL: connection exceptions, insufficient disk, memory or connections, a server that stops, has crashed or is starting. */
const serverCodes = /^(08...|53...|57P0[123])$/;
/** pg's messages that have no code. */
const sentences =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** No connection to the database could be opened. */
export class DatabaseConnectionError extends Error {
  constructor(cause: unknown) {
    super("no connection to the database", { cause });
  }
}

/**
 * True if a query failed because the database cannot be reached, or lacks resources: it may recover. Other connections break with
 * the same codes, a caller's among them, which is no reason to wake an operator.
 */
export function isConnectionError(problem: unknown): boolean {
  const causes = causesOf(problem);
  const at = causes.findIndex((one) => one instanceof DrizzleQueryError || one instanceof DatabaseConnectionError);
  return at >= 0 && causes.slice(at + 1).some(hasConnectionCode);
}

/** An error and its causes, the outermost first. An error can be its own cause. */
export function causesOf(problem: unknown): Error[] {
  const causes = new Set<Error>();
  for (let one = problem; one instanceof Error && !causes.has(one); one = one.cause) causes.add(one);
  return [...causes];
}

function hasConnectionCode(problem: Error): boolean {
  const { code } = problem as NodeJS.ErrnoException; // read where it is one
  return (code !== undefined && (socketCodes.has(code) || serverCodes.test(code))) || sentences.test(problem.message);
}
