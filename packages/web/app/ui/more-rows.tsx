import { Button } from "./button.tsx";

type Props = { hasMore: boolean; isLoading: boolean; problem: string | undefined; more(): void };

/** Below a paginated list: the error, or the button that loads more. */
export function MoreRows({ hasMore, isLoading, problem, more }: Props) {
  return (
    <div className="mt-4 print:hidden">
      <div role="status">{problem && <p className="mb-3 text-sm text-accent-ink">{problem}</p>}</div>
      {(hasMore || problem) && (
        <Button disabled={isLoading} onClick={more}>
          {isLoading ? "Loading..." : problem ? "Try again" : "Show more"}
        </Button>
      )}
    </div>
  );
}
