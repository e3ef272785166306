import { tasks } from "@tintype/contract";
import { type FormEvent, useState } from "react";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { settingObstacle } from "../../state/form-fields.ts";
import type { Obstacle } from "../../state/obstacle.ts";
import { hasCustomOptions, settingsOf } from "../../state/order.ts";
import { hasPages, settingsWithoutPage } from "../../state/page.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";
import { isRecipe, recipeObstacle } from "../../state/steps.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { ToolOptions } from "./tool-options.tsx";
import { useObstacle } from "./use-obstacle.ts";
import { OnePictureContext } from "./use-setting.ts";

type Props = { pictures: readonly [Picture, ...Picture[]]; isOpen: boolean; onClose(): void };

/**
 * The selected tool's options for some of the pictures, initialised from the first of them. A closed dialog stays mounted, so that the
 * browser can restore the focus. Default export for `lazy`.
 */
export default function CustomOptionsDialog({ pictures, isOpen, onClose }: Props) {
  return (
    <Dialog title="Custom options" isOpen={isOpen} onClose={onClose}>
      <CustomOptionsForm pictures={pictures} onClose={onClose} />
    </Dialog>
  );
}

function CustomOptionsForm({ pictures, onClose }: Omit<Props, "isOpen">) {
  const [picture] = pictures;
  const isOne = pictures.length === 1;
  const studio = useStudio();
  const [tool] = useState(() => studio.read().tool);
  const hasSteps = useStudioState(isRecipe);
  const isCustomised = pictures.some((one) => hasCustomOptions(one, tool));
  const [values, setValues] = useState(() => settingsOf(studio.read(), picture));
  const [obstacle, setObstacle] = useState<Obstacle>();
  const { form, obstacleId, problemIn } = useObstacle(obstacle);

  const apply = (settings: ToolSettings | undefined) => {
    studio.dispatch({ type: "custom-options-set", ids: pictures.map(({ id }) => id), tool, settings });
    onClose();
  };
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const settings = pictures.some(hasPages) ? values : settingsWithoutPage(values);
    const inRecipe = hasSteps && recipeObstacle({ tool, settings });
    const problem =
      settingObstacle(tool, settings) ?? (inRecipe ? { field: "background", sentence: inRecipe } : undefined);
    if (problem) setObstacle(problem);
    else apply(settings);
  }
  const change = (patch: ToolSettings) => {
    setObstacle(undefined);
    setValues((now) => ({ ...now, ...patch }));
  };
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        {tasks[tool].label} for{" "}
        <span className="font-medium text-ink wrap-anywhere">
          {isOne ? picture.name : countOf(pictures.length, "image")}
        </span>{" "}
        only. All other images use the options in the form.
      </p>
      <OnePictureContext value={{ picture, values, change }}>
        <ToolOptions tool={tool} problemIn={problemIn} />
      </OnePictureContext>
      <div role="alert" id={obstacleId} className="empty:hidden">
        {obstacle && <p className="text-sm text-accent-ink">{obstacle.sentence}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary">
          {isOne ? "Use for this image" : "Use for these images"}
        </Button>
        {isCustomised && (
          <Button kind="quiet" onClick={() => apply(undefined)}>
            Use the shared options
          </Button>
        )}
      </div>
    </form>
  );
}
