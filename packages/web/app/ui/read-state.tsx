import { Button } from "./button.tsx";

type Props = { data: object | undefined; problem: string | undefined; read(): Promise<void> };

/** Shown while something is loading, or when it failed to load. */
export function ReadState({ data, problem, read }: Props) {
  return (
    <>
      <div role="alert">
        {problem && (
          <div className="mt-8">
            <p className="mb-3 text-sm text-accent-ink">{problem}</p>
            <Button onClick={() => void read()}>Try again</Button>
          </div>
        )}
      </div>
      {!data && !problem && <p className="mt-8 text-muted">Loading...</p>}
    </>
  );
}
