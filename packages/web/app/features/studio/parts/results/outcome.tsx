import { useStudioState } from "../../work/studio-context.tsx";
import { InspectorSlot } from "../inspector.tsx";
import { Judgement } from "../stage/judgement.tsx";
import { Notices } from "../stage/notices.tsx";
import { RunEnd } from "./run-end.tsx";
import { RunUnderWay } from "./run-under-way.tsx";

/** The inspector's upper part: what is wrong with the pictures, the progress of their batch, its outcome, and the stage's own controls. */
export function Outcome() {
  return (
    <>
      <div className="px-4 empty:hidden has-[>:empty:only-child]:hidden sm:px-6 md:px-4">
        <Notices />
        <Judgement />
        <RunProgress />
      </div>
      <InspectorSlot />
    </>
  );
}

/** The progress of a running batch, then its outcome. */
function RunProgress() {
  const phase = useStudioState(({ run }) => run?.phase);
  const isRefused = useStudioState(({ run }) => run?.phase === "ended" && run.ending === "failed");
  if (phase === undefined || isRefused) return null; // the reason is shown beside Submit
  return <div className="py-4">{phase === "ended" ? <RunEnd /> : <RunUnderWay />}</div>;
}
