import { useState } from "react";
import type { IdentityProblemCode } from "./identity-problem.ts";
import { sentenceFor } from "./sentences.ts";
import { useSession } from "./session-context.tsx";
import type { SessionWork } from "./work/create-session-work.ts";

type Attempt = {
  /** The message for an unknown failure. */
  fallback: string;
  /** More specific messages for this attempt. */
  instead?: Partial<Record<IdentityProblemCode, string>>;
  act(work: SessionWork): Promise<unknown>;
};

/** Runs one provider call at a time, and holds the message of its failure. */
export function useAttempt(work: SessionWork | undefined, firstError?: string) {
  const session = useSession();
  const [error, setError] = useState(firstError);
  const [isBusy, setIsBusy] = useState(false);
  const { settings } = work ?? {};
  /** Where the provider's rule is known. Characters. */
  const passwordMinLength = settings?.provider === "built-in" ? settings.password_min_length : undefined;

  /** Resolves to whether it worked. A button pressed meanwhile keeps the focus and does nothing. */
  async function attempt({ fallback, instead, act }: Attempt): Promise<boolean> {
    if (isBusy) return false;
    setError(undefined);
    setIsBusy(true);
    try {
      // Avoid an unnecessary wait: a popup that does not open within the click is blocked.
      await (work ? act(work) : session.load().then(act));
      return true;
    } catch (problem) {
      setError(sentenceFor(problem, { fallback, instead, passwordMinLength }));
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { error, setError, isBusy, attempt, passwordMinLength };
}
