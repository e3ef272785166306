import type { ChangeQuote } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { useCallback, useEffect, useState } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import type { Choice } from "./plan-offer.ts";

/** What a choice charges and refunds, calculated by the server; requested while the dialog is open. */
export function useQuote(choice: Choice | undefined) {
  const api = useApi();
  const [quote, setQuote] = useState<ChangeQuote>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt requests the same quote again
  useEffect(() => {
    setQuote(undefined);
    setProblem(undefined);
    if (!choice) return;
    const asking = new AbortController();
    const query = { plan_id: choice.plan, billing_cycle: choice.cycle };
    api.call("GET /plan-change", { query, signal: asking.signal }).then(
      ({ ways }) => {
        const found = choice.mode ? ways.find(({ mode }) => mode === choice.mode) : ways[0];
        if (found) setQuote(found);
        else setProblem("This change is no longer possible. Please reload the page.");
      },
      (thrown: unknown) => asking.signal.aborted || setProblem(sentenceOf(thrown)),
    );
    return () => asking.abort();
  }, [api, choice, attempt]);
  return { quote, problem, askAgain: useCallback(() => setAttempt((count) => count + 1), []) };
}
