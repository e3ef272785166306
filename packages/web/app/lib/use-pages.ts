import { sentenceOf } from "@tintype/contract/api";
import { useEffect, useEffectEvent, useRef, useState } from "react";

type Page<Row> = { rows: readonly Row[]; next: string | null };
export type Loader<Row> = (before: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;

/** A paginated list from the server, newest first. It begins on mount: give the component a `key` for another list. */
export function usePages<Row>(load: Loader<Row>) {
  const [pages, setPages] = useState<Page<Row>>();
  const [problem, setProblem] = useState<string>();
  const [isLoading, setIsLoading] = useState(true);
  const controller = useRef(new AbortController());

  async function loadPage(earlier: Page<Row> | undefined) {
    const { signal } = controller.current;
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
  }
  const begin = useEffectEvent(() => void loadPage(undefined));
  useEffect(() => {
    controller.current = new AbortController();
    begin();
    return () => controller.current.abort();
  }, []);

  return {
    /** Undefined until the first page has loaded. */
    rows: pages?.rows,
    hasMore: pages !== undefined && pages.next !== null,
    isLoading,
    problem,
    /** Loads the next page, or retries after an error. */
    more: () => void loadPage(pages),
  };
}
