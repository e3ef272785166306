import { useStudioState } from "../studio-context.tsx";
import { RunEnd } from "./run-end.tsx";
import { RunUnderWay } from "./run-under-way.tsx";

/** Under the plate: how the batch stands while it runs, and what came of it. */
export function RunBar() {
  const phase = useStudioState(({ run }) => run?.phase);
  if (phase === undefined) return null;
  return <div className="px-2 pt-4 pb-2 sm:px-3">{phase === "ended" ? <RunEnd /> : <RunUnderWay />}</div>;
}
