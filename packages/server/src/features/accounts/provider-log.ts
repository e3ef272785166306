import { APIError } from "better-auth/api";
import { hideAddresses } from "../../platform/log.ts";

export type ProviderLogTarget = {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

const maxMessageLength = 500;

/** True if the provider rejected the caller: a wrong password, a used link, a body of the wrong type, the state of another sign-in. */
const isRefusal = (problem: unknown): boolean =>
  problem instanceof Error &&
  // better-call, which better-auth is built on, throws a class of its own.
  (("statusCode" in problem && Number(problem.statusCode) < 500) ||
    ("code" in problem && String(problem.code).startsWith("state_")));

/**
 * Redirects better-auth's log into ours. By default it prints user input unescaped to the console. An error among its
 * arguments is kept; other arguments are dropped, since they may contain a whole user.
 */
export function createProviderLog(log: ProviderLogTarget) {
  return {
    logger: {
      level: "warn" as const,
      log(_level: string, message: string, ...details: unknown[]) {
        // This advice does not apply: none of our pages runs in a third-party frame and needs the token there.
        if (message.startsWith("OAuth popup hands the session token back")) return;
        const problem = details.find((one) => one instanceof Error && !(one instanceof APIError) && !isRefusal(one));
        const sentence = `identity provider: ${hideAddresses(String(message)).slice(0, maxMessageLength)}`;
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
