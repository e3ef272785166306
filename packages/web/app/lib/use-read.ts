import { sentenceOf } from "@tintype/contract/api";
import { useCallback, useEffect, useRef, useState } from "react";

/** Reads from the server on mount, and returns a function that reads again. `load` must keep its identity between renders. */
export function useRead<Found>(load: (signal: AbortSignal) => Promise<Found>) {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const asking = useRef(new AbortController());
  const read = useCallback(async () => {
    asking.current.abort();
    asking.current = new AbortController();
    const { signal } = asking.current;
    setProblem(undefined);
    try {
      const next = await load(signal);
      if (!signal.aborted) setFound(next);
    } catch (thrown) {
      if (!signal.aborted) setProblem(sentenceOf(thrown));
    }
  }, [load]);
  useEffect(() => {
    void read();
    return () => asking.current.abort();
  }, [read]);
  return { found, problem, read };
}
