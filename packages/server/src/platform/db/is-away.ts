/** Of sockets and names, by Node. */
const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** PostgreSQL: connection exceptions, no disk, memory or connection left, a server that stops, has crashed or is just starting. */
const serverCodes = /^(08...|53...|57P0[123])$/;
/** Messages of pg that have no code. */
const sentences =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True where a query failed since the database cannot be reached, or has no room: it may answer again later. */
export function isDatabaseAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false;
  const { code } = problem as NodeJS.ErrnoException; // read where it is one
  if (code !== undefined && (socketCodes.has(code) || serverCodes.test(code))) return true;
  return sentences.test(problem.message) || isDatabaseAway(problem.cause);
}
