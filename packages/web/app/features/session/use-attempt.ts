import { useState } from "react";
import type { IdentityProblemCode } from "./identity-problem.ts";
import { sentenceFor } from "./sentences.ts";
import { useSession } from "./session-context.tsx";
import type { SessionWork } from "./work/create-session-work.ts";

type Attempt = {
  /** The sentence for a failure of unknown cause. */
  fallback: string;
  /** Sentences for this place. */
  instead?: Partial<Record<IdentityProblemCode, string>>;
  act(work: SessionWork): Promise<unknown>;
};

/** Something tried with the provider, one at a time, and the sentence that says why it did not work. */
export function useAttempt(work: SessionWork | undefined, firstError?: string) {
  const session = useSession();
  const [error, setError] = useState(firstError);
  const [isBusy, setIsBusy] = useState(false);

  /** Whether it worked. A button that is pressed meanwhile keeps the focus, and does nothing. */
  async function attempt({ fallback, instead, act }: Attempt): Promise<boolean> {
    if (isBusy) return false;
    setError(undefined);
    setIsBusy(true);
    try {
      // Not after a wait where it need not be: a window opened later than the click is taken for an advertisement.
      await (work ? act(work) : session.load().then(act));
      return true;
    } catch (problem) {
      const { settings } = work ?? {};
      const passwordMinLength = settings?.provider === "built-in" ? settings.password_min_length : undefined;
      setError(sentenceFor(problem, { fallback, instead, passwordMinLength }));
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { error, setError, isBusy, attempt };
}
