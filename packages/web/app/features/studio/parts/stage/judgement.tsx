import { TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { judgePicture } from "../../state/judge-picture.ts";
import { isRunning } from "../../state/studio-state.ts";
import { costOf, picturesToSend } from "../../state/to-send.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { Remedies } from "../remedies.tsx";

/** Pictures listed by name; the rest are only counted. */
const maxNamed = 3;

/** Lists pictures that cannot be sent to the selected tool, as soon as they are added, with remedies. */
export function Judgement() {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const tool = useStudioState((state) => state.tool);
  const settings = useStudioState((state) => state.settings);
  const steps = useStudioState((state) => state.steps);
  const allowance = useStudioState((state) => state.allowance);
  const caller = useStudioState((state) => state.caller);
  const said = useStudioState(({ obstacle }) => obstacle?.sentence);
  const isWorking = useStudioState(isRunning);
  // Pictures finished with the current settings need not be sent.
  const cost = useStudioState(costOf);
  const rest = useStudioState((state) => (cost > 0 ? picturesToSend(state).length : 0));
  const unsendable = useMemo(
    () =>
      pictures.flatMap((picture) => {
        // A failed picture shows its reason in the results.
        const verdict =
          picture.outcome.kind === "failed"
            ? undefined
            : judgePicture(picture, { tool, settings, steps, allowance, caller });
        // What Submit has just said does not stand here too.
        return verdict && !said?.includes(verdict.sentence) ? [{ id: picture.id, ...verdict }] : [];
      }),
    [pictures, tool, settings, steps, allowance, caller, said],
  );
  if (unsendable.length === 0 || isWorking) return null;
  const remedies = unsendable.find((verdict) => verdict.remedies.length > 0)?.remedies ?? [];
  return (
    <div role="status" aria-label="Cannot be processed" className="mt-2 rounded-md bg-sunken px-4 py-3 text-sm">
      <div className="flex gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
        <ul className="min-w-0 break-words">
          {unsendable.slice(0, maxNamed).map(({ id, sentence }) => (
            <li key={id}>{sentence}</li>
          ))}
          {unsendable.length > maxNamed && (
            <li>{countOf(unsendable.length - maxNamed, "more image")} cannot be used.</li>
          )}
        </ul>
      </div>
      <div className="mt-2 flex flex-wrap gap-2 pl-6 empty:hidden">
        {rest > 0 && (
          <Button size="sm" onClick={() => studio.submit()}>
            Run the other {rest}
            <span className="credits"> ({countOf(cost, "credit")})</span>
          </Button>
        )}
        <Remedies remedies={remedies} />
      </div>
    </div>
  );
}
