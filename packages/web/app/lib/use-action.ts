import { sentenceOf } from "@tintype/contract/api";
import { useState } from "react";

/** Runs one call at a time, and holds the message of its failure. */
export function useAction(firstProblem?: string) {
  const [problem, setProblem] = useState(firstProblem);
  const [isBusy, setIsBusy] = useState(false);

  /** Resolves to whether it worked. A button pressed meanwhile keeps the focus and does nothing. */
  async function run(work: () => Promise<unknown>, describe: (thrown: unknown) => string | undefined = sentenceOf) {
    if (isBusy) return false;
    setProblem(undefined);
    setIsBusy(true);
    try {
      await work();
      return true;
    } catch (thrown) {
      setProblem(describe(thrown));
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { problem, setProblem, isBusy, run };
}
