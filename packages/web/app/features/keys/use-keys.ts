import { type ApiKey, text } from "@tintype/contract";
import { ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { useCallback, useEffect, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";

export const sentenceOf = (problem: unknown): string =>
  problem instanceof ApiProblem || problem instanceof ConnectionLost ? problem.message : text.somethingWrong;

/** The person's keys, and the way to read them again after a change. */
export function useKeys() {
  const api = useApi();
  const [keys, setKeys] = useState<ApiKey[]>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(async () => {
    try {
      setKeys((await api.call("GET /keys", {})).keys);
      setProblem(undefined);
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    }
  }, [api]);
  useEffect(() => void read(), [read]);
  return { keys, problem, read };
}
