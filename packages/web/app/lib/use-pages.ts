import { sentenceOf } from "@tintype/contract/api";
import { useCallback, useEffect, useRef, useState } from "react";

type Page<Row> = { rows: readonly Row[]; next: string | null };
export type Loader<Row> = (before: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;

/** A paginated list from the server, newest first. `load` must keep its identity between renders. */
export function usePages<Row>(load: Loader<Row>) {
  const [pages, setPages] = useState<Page<Row>>();
  const [problem, setProblem] = useState<string>();
  const [isLoading, setIsLoading] = useState(true);
  const asking = useRef(new AbortController());

  const bring = useCallback(
    async (earlier: Page<Row> | undefined) => {
      const { signal } = asking.current;
      setIsLoading(true);
      setProblem(undefined);
      try {
        const page = await load(earlier?.next ?? undefined, signal);
        if (!signal.aborted) setPages({ rows: [...(earlier?.rows ?? []), ...page.rows], next: page.next });
      } catch (thrown) {
        if (!signal.aborted) setProblem(sentenceOf(thrown));
      } finally {
        if (!signal.aborted) setIsLoading(false);
      }
    },
    [load],
  );
  useEffect(() => {
    asking.current = new AbortController();
    void bring(undefined);
    return () => asking.current.abort();
  }, [bring]);

  return {
    /** Undefined until the first page has loaded. */
    rows: pages?.rows,
    hasMore: pages !== undefined && pages.next !== null,
    isLoading,
    problem,
    /** Loads the next page, or retries after an error. */
    more: () => void bring(pages),
  };
}
