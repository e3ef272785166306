import { type OperationName, text } from "@tintype/contract";
import { type ComponentType, type FormEvent, Suspense, useEffect, useRef } from "react";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { Button } from "../../../ui/button.tsx";
import { AlertIcon } from "../../../ui/icons.tsx";
import { RecipeActions } from "../recipe/recipe-actions.tsx";
import { leftOf } from "../state/credit-use.ts";
import { isRunning } from "../state/studio-state.ts";
import { isStale } from "../state/to-send.ts";
import { useStudio, useStudioState } from "../studio-context.tsx";
import { CompressOptions } from "./compress-options.tsx";
import type { OptionsProps } from "./use-setting.ts";

const StepList = lazyPart(() => import("../recipe/step-list.tsx"));
const OwnNote = lazyPart(() => import("../own/own-note.tsx"));
const Cost = lazyPart(() => import("./cost.tsx"));
const ObstacleHelp = lazyPart(() => import("./obstacle-help.tsx"));

const costClasses = "mt-2 min-h-5 text-center text-sm text-muted";
const obstacleId = "studio-obstacle";

/** The tools whose fields are arranged by hand; all others show the fields of their manifest one below the other. */
const arranged: Partial<Record<OperationName, ComponentType<OptionsProps>>> = {
  compress: CompressOptions,
  resize: lazyPart(async () => ({ default: (await import("./other-options.ts")).ResizeOptions })),
  upscale: lazyPart(async () => ({ default: (await import("./other-options.ts")).UpscaleOptions })),
  "remove-background": lazyPart(async () => ({
    default: (await import("./other-options.ts")).RemoveBackgroundOptions,
  })),
  convert: lazyPart(async () => ({ default: (await import("./other-options.ts")).ConvertOptions })),
};
const OperationFields = lazyPart(async () => ({ default: (await import("./other-options.ts")).OperationFields }));

/** The chosen tool's options and the button that sets it to work. */
export function OptionsPanel() {
  const studio = useStudio();
  const tool = useStudioState((state) => state.tool);
  const obstacle = useStudioState((state) => state.obstacle);
  const hasPictures = useStudioState(({ pictures }) => pictures.length > 0);
  const hasOthers = useStudioState(({ others }) => others !== undefined);
  const hasOwn = useStudioState(({ own }) => own.size > 0);
  const isBusy = useStudioState(isRunning);
  const isNext = useStudioState(isStale);
  const form = useRef<HTMLFormElement>(null);
  const Options = arranged[tool];
  const problemIn: OptionsProps["problemIn"] = (field) => (obstacle?.field === field ? obstacleId : undefined);

  useEffect(() => {
    const invalid = obstacle && form.current?.querySelector<HTMLElement>("[aria-invalid]");
    (invalid?.querySelector("input") ?? invalid)?.focus();
    // On a phone the work is shown a screen above the sentence that says why it was refused.
    if (obstacle) document.getElementById(obstacleId)?.scrollIntoView({ block: "nearest" });
  }, [obstacle]);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    studio.act((work) => work.submit());
  }

  return (
    <div className="flex flex-col p-4 sm:p-6 md:pl-2 lg:pl-3">
      <form ref={form} noValidate onSubmit={onSubmit} className="flex flex-1 flex-col gap-6">
        <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-5">
          <legend className="sr-only">Options</legend>
          {hasOthers && (
            <Suspense fallback={null}>
              <StepList />
            </Suspense>
          )}
          {tool === "compress" ? (
            <CompressOptions problemIn={problemIn} />
          ) : (
            <Suspense fallback={<div className="min-h-48" />}>
              {Options ? <Options problemIn={problemIn} /> : <OperationFields tool={tool} problemIn={problemIn} />}
            </Suspense>
          )}
          {hasOwn && (
            <Suspense fallback={null}>
              <OwnNote />
            </Suspense>
          )}
        </fieldset>
        <div className="mt-auto">
          <div role="alert" id={obstacleId}>
            {obstacle && (
              <p className="mb-3 flex gap-2 text-sm text-accent-ink">
                <AlertIcon className="mt-0.5 size-4 shrink-0" />
                {obstacle.sentence}
              </p>
            )}
          </div>
          {obstacle && (obstacle.reference || obstacle.remedies) && (
            <Suspense fallback={null}>
              <ObstacleHelp obstacle={obstacle} />
            </Suspense>
          )}
          {/* Not `disabled`, which takes the focus away: a person at the keyboard goes on from here. */}
          <Button
            type="submit"
            kind={isNext ? "primary" : "secondary"}
            size="lg"
            aria-disabled={isBusy}
            className="w-full"
          >
            <SubmitLabel />
          </Button>
          {hasPictures || hasOthers ? (
            <Suspense fallback={<p className={costClasses} />}>
              <Cost className={costClasses} />
            </Suspense>
          ) : (
            <PriceOfOne />
          )}
        </div>
      </form>
      {/* Outside the form: its dialogs hold forms of their own. */}
      <RecipeActions />
    </div>
  );
}

/** The credits left, before there is a picture to price. */
function PriceOfOne() {
  const left = useStudioState(leftOf);
  return <p className={costClasses}>{["1 credit a picture", left].filter(Boolean).join(" · ")}</p>;
}

function SubmitLabel() {
  const phase = useStudioState(({ run }) => run?.phase);
  if (phase === "sending" || phase === "working") return text.processing;
  return phase === "delivering" ? text.downloading : text.submit;
}
