import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream, pino } from "pino";
import { causesOf, isConnectionError } from "./db/connection-error.ts";

/**
 * Structured lines on standard output. Never pass it secrets or personal data. Errors go through `describeError`, since a
 * database error repeats the values of its query. A final filter hides API keys.
 */
export function createLog(level: string, destination?: DestinationStream): FastifyBaseLogger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["req.headers.authorization", "req.headers.cookie", "headers.authorization", "headers.cookie"],
    serializers: { err: describeError, cause: describeError },
    hooks: { streamWrite: (line: string) => line.replace(/tt_(live|test)_[0-9A-Za-z]+/g, "tt_$1_(hidden)") },
  };
  return destination ? pino(options, destination) : pino(options);
}

type LoggedError = {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
};

/** How deep causes and parts of an error are followed: an error can be its own cause. */
const deepest = 5;

/** The loggable part of an error: kind, message, code and stack. Other properties may contain personal data. */
function describeError(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return typeof thrown === "string" ? hideAddresses(thrown) : thrown;
  if (isConnectionError(thrown))
    return { type: "DatabaseAway", message: "PostgreSQL is not responding", code: codeOf(thrown) };
  const { name, stack = "", cause, code } = thrown as Error & { code?: unknown }; // errno, pg and nodemailer set one
  const described: LoggedError = {
    type: thrown.constructor.name || name,
    message: messageOf(thrown),
    stack: stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
  };
  if (typeof code === "string" || typeof code === "number") described.code = String(code);
  if (depth >= deepest) return described;
  if (cause !== undefined) described.cause = describeError(cause, depth + 1);
  if (thrown instanceof AggregateError)
    described.errors = thrown.errors.slice(0, deepest).map((one) => describeError(one, depth + 1));
  return described;
}

/** The code of the innermost cause that has one. */
const codeOf = (thrown: Error): string | undefined =>
  causesOf(thrown)
    .map(({ code }: NodeJS.ErrnoException) => code)
    .findLast((code) => code !== undefined);

/** An error's message without query values and people's addresses. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return hideAddresses(String(thrown));
  const { message } = thrown;
  // drizzle-orm: "Failed query: insert into ... values ($1)\nparams: Ann,ann@example.com"
  if ("query" in thrown && "params" in thrown) return message.replace(/\nparams:.*$/s, "");
  // PostgreSQL's message quotes a value it cannot parse: `invalid input syntax for type integer: "..."`.
  if (isFromDatabase(thrown)) return hideAddresses(message.replace(/: ".*"/gs, ': "(hidden)"'));
  return hideAddresses(message);
}

/** node-postgres' DatabaseError: five characters of SQLSTATE, and PostgreSQL's severity. */
const isFromDatabase = (error: Error): boolean =>
  "severity" in error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));

/** ReDoS: matches only from the start of a word. From every character, a word of 95,000 letters took 15 s. */
export const hideAddresses = (text: string): string =>
  text.replace(/(?<![^\s"'`<>(),;:=@])[^\s"'`<>(),;:=@]+@[^\s"'`<>(),;:=@]+/g, "(an address)");
