import { sentenceOf } from "@tintype/contract/api";
import { useCallback, useEffect, useRef, useState } from "react";

/** Something the server has, read when it is first shown, and the way to read it again. `load` must stay the same function. */
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
