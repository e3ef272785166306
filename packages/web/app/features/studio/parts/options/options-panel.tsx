import { text } from "@tintype/contract";
import { type FormEvent, Suspense, useEffect, useState } from "react";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { AlertIcon } from "../../../../ui/icons.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import { creditsLeft } from "../../state/credits.ts";
import { priceOf } from "../../state/order.ts";
import { isRecipe } from "../../state/steps.ts";
import { isRunning } from "../../state/studio-state.ts";
import { costOf, isStale } from "../../state/to-send.ts";
import { readStartAtOnce, writeStartAtOnce } from "../../work/start-at-once.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { RecipeActions } from "../recipe/recipe-actions.tsx";
import { ToolOptions } from "./tool-options.tsx";
import { useObstacle } from "./use-obstacle.ts";

const ObstacleHelp = lazyChunk(async () => ({ default: (await import("../remedies.tsx")).ObstacleHelp }));
const Notes = lazyChunk(async () => ({ default: (await import("./notes.tsx")).Notes }));
const StepList = lazyChunk(async () => ({ default: (await import("../recipe/step-list.tsx")).StepList }));

const obstacleId = "studio-obstacle";
const fieldsId = "studio-options";

/** The selected tool's options and the Submit button. */
export function OptionsPanel() {
  const studio = useStudio();
  const tool = useStudioState((state) => state.tool);
  const obstacle = useStudioState((state) => state.obstacle);
  const hasSteps = useStudioState(isRecipe);
  const hasNotes = useStudioState(
    ({ pictures, earlierRuns }) =>
      earlierRuns.length > 0 || pictures.some(({ customOptions }) => customOptions !== undefined),
  );
  const isBusy = useStudioState(isRunning);
  const isNext = useStudioState(isStale);
  const { form, problemIn } = useObstacle(obstacle, obstacleId);
  const isEmpty = useStudioState(({ pictures }) => pictures.length === 0);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  if (isSheetOpen && (isBusy || isEmpty)) setIsSheetOpen(false);
  useEffect(() => {
    // While the studio is empty, a phone's user is a screen above the message, so scroll to it.
    if (obstacle) document.getElementById(obstacleId)?.scrollIntoView({ block: "nearest" });
  }, [obstacle]);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    // Enter in a field: the fields are disabled while a run goes, and would lose the focus.
    (event.nativeEvent as SubmitEvent).submitter?.focus();
    studio.submit();
  }

  return (
    <div className="options flex flex-1 flex-col p-4 sm:p-6 md:pl-2 lg:pl-3">
      <form
        ref={form}
        noValidate
        onSubmit={onSubmit}
        onKeyDown={({ key }) => key === "Escape" && setIsSheetOpen(false)}
        data-sheet={isSheetOpen || undefined}
        className="flex flex-1 flex-col gap-6"
      >
        <fieldset id={fieldsId} disabled={isBusy} className="flex min-w-0 flex-col gap-5">
          <legend className="sr-only">Options</legend>
          {hasSteps && (
            <Suspense fallback={null}>
              <StepList />
            </Suspense>
          )}
          <ToolOptions tool={tool} problemIn={problemIn} />
          {hasNotes && (
            <Suspense fallback={null}>
              <Notes />
            </Suspense>
          )}
        </fieldset>
        <StartAtOnce />
        <div className="inspector-foot mt-auto" data-quiet={!isNext && !isBusy && !obstacle}>
          <div role="alert" id={obstacleId}>
            {obstacle && (
              <p className="mb-3 flex gap-2 text-sm text-accent-ink">
                <AlertIcon className="mt-0.5 size-4 shrink-0" />
                {obstacle.sentence}
              </p>
            )}
          </div>
          {obstacle && (
            <Suspense fallback={null}>
              <ObstacleHelp obstacle={obstacle} />
            </Suspense>
          )}
          {/* `aria-disabled`, because `disabled` would lose the focus, from which keyboard users continue. */}
          <div className="flex gap-2">
            {/* On a phone the options are below the picture: this brings them over its lower half. */}
            {!isEmpty && (
              <Button
                size="lg"
                aria-expanded={isSheetOpen}
                aria-controls={fieldsId}
                disabled={isBusy}
                onClick={() => setIsSheetOpen(!isSheetOpen)}
                className="md:hidden"
              >
                Options
              </Button>
            )}
            <Button
              type="submit"
              kind={isNext ? "primary" : "secondary"}
              size="lg"
              aria-disabled={isBusy}
              className="min-w-0 flex-1"
            >
              <SubmitLabel />
            </Button>
          </div>
          <Cost />
        </div>
      </form>
      {/* Outside the form, because its dialogs contain forms. */}
      <RecipeActions />
    </div>
  );
}

function SubmitLabel() {
  const phase = useStudioState(({ run }) => run?.phase);
  if (phase === "sending" || phase === "working") return text.processing;
  return phase === "delivering" ? text.downloading : text.submit;
}

/** The price of a submit and the available credits. */
function Cost() {
  const cost = useStudioState(costOf);
  const isKnown = useStudioState(({ knownIds }) => knownIds.size > 0);
  const left = useStudioState(creditsLeft);
  const each = useStudioState(({ steps }) => priceOf(steps));
  const isEmpty = useStudioState(({ pictures }) => pictures.length === 0);
  const price = isEmpty
    ? `${countOf(each, "credit")} per image`
    : cost === 0 && isKnown
      ? "Up to date"
      : countOf(cost, "credit");
  const selected = useStudioState(({ pictures, selection }) => {
    const count = pictures.filter(({ id }) => selection.has(id)).length;
    return count > 0 ? `${count} of ${pictures.length} selected` : "";
  });
  return (
    <p className="mt-2 min-h-5 text-center text-sm text-muted">
      {selected}
      <span className="credits">
        {selected && " · "}
        {[price, left].filter(Boolean).join(" · ")}
      </span>
    </p>
  );
}

/** The switch that starts new pictures with the current options as soon as they are added. */
function StartAtOnce() {
  const callerId = useStudioState(({ caller }) => caller?.id);
  const each = useStudioState(({ steps }) => priceOf(steps));
  const [isOn, setIsOn] = useState(false);
  // Read after mount, because local storage is not available to the server rendering.
  useEffect(() => setIsOn(readStartAtOnce(callerId)), [callerId]);
  return (
    <Switch
      label="Auto-run new images"
      hint={<span className="credits">They start as you add them, {countOf(each, "credit")} each.</span>}
      isOn={isOn}
      onChange={(checked) => setIsOn(writeStartAtOnce(callerId, checked) && checked)}
    />
  );
}
