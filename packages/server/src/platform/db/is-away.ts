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

/** True if a query failed because the database cannot be reached, or lacks resources: it may recover. */
export function isDatabaseAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false;
  const { code } = problem as NodeJS.ErrnoException; // read where it is one
  if (code !== undefined && (socketCodes.has(code) || serverCodes.test(code))) return true;
  return sentences.test(problem.message) || isDatabaseAway(problem.cause);
}
