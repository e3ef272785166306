import { Choice, type Option } from "../../../../ui/choice.tsx";
import { defaultColour } from "../../state/form-fields.ts";
import { isMaskOnly } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import type { Ground } from "../../state/settings.ts";
import { isRecipe } from "../../state/steps.ts";
import type { Run } from "../../state/studio-state.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { AuxiliaryPicture } from "./auxiliary-picture.tsx";
import { ColourField, OperationField } from "./operation-field.tsx";
import { type OptionsProps, useIsForOnePicture, useSetting } from "./use-setting.ts";

const grounds: ReadonlyArray<Option<Ground>> = [
  { value: "transparent", label: "Transparent" },
  { value: "colour", label: "Colour" },
  { value: "picture", label: "Image" },
];

export function RemoveBackgroundOptions({ problemIn }: OptionsProps) {
  // Finished cut-outs have this control beside the result. A second one here would cost another credit.
  const isForOnePicture = useIsForOnePicture();
  const areDone = useStudioState(
    ({ pictures, run }) =>
      run?.tool === "remove-background" && !isRecipe(run) && pictures.every((picture) => isInEdit(picture, run)),
  );
  const isChosenBelow = areDone && !isForOnePicture;
  const field = { tool: "remove-background", problemIn } as const;
  return (
    <>
      <OperationField name="profile" columns={2} {...field} />
      {isChosenBelow ? (
        <p className="text-sm text-muted">Choose the background of the result above, for free.</p>
      ) : (
        <BackgroundChoice problemIn={problemIn} />
      )}
      <details className="group text-sm">
        <summary className="rounded-sm font-medium text-muted hover:text-ink">More options</summary>
        <div className="mt-4 flex flex-col gap-4">
          <OperationField name="crop" {...field} />
          <OperationField name="mask_only" hint="A greyscale image: white is the subject." {...field} />
        </div>
      </details>
    </>
  );
}

/** Whether the result has its own background control. */
const isInEdit = ({ id, outcome }: Picture, { orders }: Run): boolean =>
  outcome.kind === "done" && outcome.result.job !== undefined && !isMaskOnly(orders.get(id));

/** One control for two form fields: `background`, a colour, and `background_image`, a picture. */
function BackgroundChoice({ problemIn }: OptionsProps) {
  const [{ ground = "transparent", colour = defaultColour, picture }, change] = useSetting("remove-background");
  return (
    <div className="flex flex-col gap-3">
      <Choice<Ground>
        legend="New background"
        columns={3}
        options={grounds}
        value={ground}
        onChoose={(chosen) => change({ ground: chosen })}
        problemId={problemIn("background")}
      />
      {ground === "colour" && (
        <ColourField label="Background colour" value={colour} onChange={(chosen) => change({ colour: chosen })} />
      )}
      {ground === "picture" && (
        <AuxiliaryPicture
          label="Background image"
          picture={picture}
          onChoose={(chosen) => change({ picture: chosen })}
        />
      )}
    </div>
  );
}
