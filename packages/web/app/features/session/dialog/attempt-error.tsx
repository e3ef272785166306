export const attemptErrorId = "attempt-error";

/** Above the form, announced when it appears. */
export function AttemptError({ sentence }: { sentence: string | undefined }) {
  return (
    <div role="alert" id={attemptErrorId}>
      {sentence && <p className="mb-4 text-sm text-accent-ink">{sentence}</p>}
    </div>
  );
}
