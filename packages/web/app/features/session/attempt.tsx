import { useAction } from "../../lib/use-action.ts";
import { type SentenceOptions, sentenceFor } from "./sentences.ts";
import { useSession } from "./session-context.tsx";
import { useSessionWork } from "./use-session-work.ts";
import type { SessionWork } from "./work/create-session-work.ts";

type Attempt = Pick<SentenceOptions, "fallback" | "instead"> & { action(work: SessionWork): Promise<unknown> };

/** Runs one provider call at a time, and holds the message of its failure. */
export function useAttempt(firstError?: string) {
  const session = useSession();
  const work = useSessionWork();
  const { problem: error, setProblem: setError, isBusy, run } = useAction(firstError);
  const { settings } = work ?? {};
  /** Where the provider's rule is known. Characters. */
  const passwordMinLength = settings?.provider === "built-in" ? settings.password_min_length : undefined;

  /** Resolves to whether it worked. */
  const attempt = ({ fallback, instead, action }: Attempt): Promise<boolean> =>
    run(
      // Avoid an unnecessary wait: a popup that does not open within the click is blocked.
      () => (work ? action(work) : session.load().then(action)),
      (problem) => sentenceFor(problem, { fallback, instead, passwordMinLength }),
    );
  return { work, error, setError, isBusy, attempt, passwordMinLength };
}

export const attemptErrorId = "attempt-error";

/** Above the form, announced when it appears. */
export function AttemptError({ sentence }: { sentence: string | undefined }) {
  return (
    <div role="alert" id={attemptErrorId}>
      {sentence && <p className="mb-4 text-sm text-accent-ink">{sentence}</p>}
    </div>
  );
}
