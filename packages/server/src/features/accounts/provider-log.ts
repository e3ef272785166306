import { APIError } from "better-auth/api";
import { hideAddresses } from "../../platform/log.ts";

export type ProviderLogTarget = {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

const longestMessage = 500;

/** True where the provider refused the caller: a wrong password, a spent link, a body of another type, the state of another sign-in. */
const isRefusal = (problem: unknown): boolean =>
  problem instanceof Error &&
  // better-call, below better-auth, throws a class of its own.
  (("statusCode" in problem && Number(problem.statusCode) < 500) ||
    ("code" in problem && String(problem.code).startsWith("state_")));

/**
 * better-auth's log, in ours: left to itself it prints to the console, with whatever people typed unescaped. An error
 * among its arguments is kept, other arguments are not: they can be a whole user.
 */
export function createProviderLog(log: ProviderLogTarget) {
  return {
    logger: {
      level: "warn" as const,
      log(_level: string, message: string, ...details: unknown[]) {
        // Advice that we do not follow: no page of ours lives in a foreign frame and needs the token there.
        if (message.startsWith("OAuth popup hands the session token back")) return;
        const problem = details.find((one) => one instanceof Error && !(one instanceof APIError) && !isRefusal(one));
        const sentence = `identity provider: ${hideAddresses(String(message)).slice(0, longestMessage)}`;
        if (problem) log.error({ err: problem }, sentence);
        else log.warn({}, sentence);
      },
    },
    onAPIError: {
      onError(problem: unknown) {
        if (isRefusal(problem)) return;
        if (!(problem instanceof APIError)) log.error({ err: problem }, "identity provider failed");
        else if (problem.statusCode >= 500)
          log.error({ err: problem, cause: problem.cause }, "identity provider failed");
      },
    },
  };
}
