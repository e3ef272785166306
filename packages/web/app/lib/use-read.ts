import { sentenceOf } from "@tintype/contract/api";
import { useCallback, useEffect, useRef, useState } from "react";

/** Reads from the server on mount, and returns a function that reads again. `load` must keep its identity between renders. */
export function useRead<Data>(load: (signal: AbortSignal) => Promise<Data>) {
  const [data, setData] = useState<Data>();
  const [problem, setProblem] = useState<string>();
  const controller = useRef(new AbortController());
  const read = useCallback(async () => {
    controller.current.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    setProblem(undefined);
    try {
      const next = await load(signal);
      if (!signal.aborted) setData(next);
    } catch (thrown) {
      if (!signal.aborted) setProblem(sentenceOf(thrown));
    }
  }, [load]);
  useEffect(() => {
    void read();
    return () => controller.current.abort();
  }, [read]);
  return { data, problem, read };
}
