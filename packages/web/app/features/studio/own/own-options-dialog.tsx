import { type OperationName, tasks } from "@tintype/contract";
import { type ComponentType, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CompressOptions } from "../options/compress-options.tsx";
import {
  ConvertOptions,
  OperationFields,
  RemoveBackgroundOptions,
  ResizeOptions,
  UpscaleOptions,
} from "../options/other-options.ts";
import { OnePictureContext, type OptionsProps } from "../options/use-setting.ts";
import { settingObstacle } from "../state/form-fields.ts";
import { hasOwn, settingsFor } from "../state/own-options.ts";
import type { Picture } from "../state/picture.ts";
import type { Settings } from "../state/settings.ts";
import { recipeObstacle, wholeSettings } from "../state/steps.ts";
import type { Obstacle } from "../state/studio-state.ts";
import { useStudio, useStudioState } from "../studio-context.tsx";

const arranged: Partial<Record<OperationName, ComponentType<OptionsProps>>> = {
  compress: CompressOptions,
  resize: ResizeOptions,
  upscale: UpscaleOptions,
  "remove-background": RemoveBackgroundOptions,
  convert: ConvertOptions,
};

/** The chosen tool's options for one picture of several. Default export: it is loaded by `lazy`. */
export default function OwnOptionsDialog({ picture, onClose }: { picture: Picture; onClose(): void }) {
  return (
    <Dialog title="Own options" isOpen onClose={onClose}>
      <OwnForm picture={picture} onClose={onClose} />
    </Dialog>
  );
}

function OwnForm({ picture, onClose }: { picture: Picture; onClose(): void }) {
  const studio = useStudio();
  const [tool] = useState(() => studio.read().tool);
  const others = useStudioState((state) => state.others);
  const isOwn = useStudioState((state) => hasOwn(state, picture.id));
  const [values, setValues] = useState<Settings[OperationName]>(() => settingsFor(studio.read(), picture.id)[tool]);
  const [obstacle, setObstacle] = useState<Obstacle>();
  const form = useRef<HTMLFormElement>(null);
  const obstacleId = useId();
  const Options = arranged[tool];
  const problemIn: OptionsProps["problemIn"] = (field) => (obstacle?.field === field ? obstacleId : undefined);
  useEffect(() => {
    const invalid = obstacle && form.current?.querySelector<HTMLElement>("[aria-invalid]");
    (invalid?.querySelector("input") ?? invalid)?.focus();
  }, [obstacle]);

  const keep = (settings: Settings[OperationName] | undefined) => {
    studio.dispatch({ type: "own-options-set", id: picture.id, tool, settings });
    onClose();
  };
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const settings = wholeSettings(tool, values);
    const inRecipe = others && recipeObstacle({ tool, settings });
    const found =
      settingObstacle(tool, settings) ?? (inRecipe ? { field: "background", sentence: inRecipe } : undefined);
    if (found) setObstacle(found);
    else keep(values);
  }
  const change = (patch: Settings[OperationName]) => {
    setObstacle(undefined);
    setValues((now) => ({ ...now, ...patch }));
  };
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        {tasks[tool].label} for <span className="font-medium text-ink wrap-anywhere">{picture.name}</span> alone. All
        other pictures use the form's options.
      </p>
      <OnePictureContext value={{ picture, values, change }}>
        {Options ? <Options problemIn={problemIn} /> : <OperationFields tool={tool} problemIn={problemIn} />}
      </OnePictureContext>
      <div role="alert" id={obstacleId} className="empty:hidden">
        {obstacle && <p className="text-sm text-accent-ink">{obstacle.sentence}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary">
          Use for this picture
        </Button>
        {isOwn && (
          <Button kind="quiet" onClick={() => keep(undefined)}>
            Same as the others
          </Button>
        )}
      </div>
    </form>
  );
}
