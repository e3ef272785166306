import { tasks } from "@tintype/contract";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { scrollBehavior } from "../../../../lib/scroll-behavior.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { keepOneStep, removeStep, showStep } from "./change-steps.ts";
import { describeStep } from "./describe-step.ts";

/** The steps of a recipe, in order. The form below shows the selected one. */
export function StepList() {
  const studio = useStudio();
  const tool = useStudioState((state) => state.tool);
  const steps = useStudioState((state) => state.steps);
  const place = useStudioState((state) => state.cursor);
  const list = useRef<HTMLOListElement>(null);
  // On a phone the button that adds a step is a screen below the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the number of steps changes
  useEffect(() => {
    const isAbove = list.current && list.current.getBoundingClientRect().top < 0;
    if (isAbove) list.current?.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }, [steps.length]);
  return (
    <section aria-label="Steps" className="border-b border-line pb-5">
      <div className="mb-2 flex items-baseline justify-between">
        <h2 className="font-sans text-sm font-medium tracking-normal">{steps.length} steps</h2>
        <button
          type="button"
          className="rounded-sm text-sm text-muted underline underline-offset-2 hover:text-ink"
          onClick={() => keepOneStep(studio)}
        >
          Only this step
        </button>
      </div>
      <ol ref={list} tabIndex={-1} className="flex flex-col gap-1 outline-none">
        {steps.map((step, index) => {
          const isHere = index === place;
          const description = isHere ? tasks[tool].label : describeStep(step);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be equal, and only their position tells them apart
            <li key={index} className="flex items-stretch">
              <button
                type="button"
                aria-current={isHere ? "step" : undefined}
                onClick={() => showStep(studio, index)}
                className={joinClasses(
                  "flex min-h-10 min-w-0 flex-1 items-baseline gap-3 rounded-md px-3 py-2 text-left text-sm transition-colors",
                  isHere ? "bg-sunken font-medium" : "text-muted hover:bg-sunken/60 hover:text-ink",
                )}
              >
                <span className="text-xs tabular-nums">{index + 1}</span>
                <span className="min-w-0 wrap-anywhere">{description}</span>
              </button>
              <button
                type="button"
                aria-label={`Remove step ${index + 1}, ${description}`}
                onClick={() => {
                  removeStep(studio, index);
                  list.current?.focus();
                }}
                className="inline-flex w-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
