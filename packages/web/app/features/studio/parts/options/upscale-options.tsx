import { formatSides } from "../../../../lib/size.ts";
import { fieldValue } from "../../state/form-fields.ts";
import { framedSides } from "../../state/frame.ts";
import { OperationField } from "./operation-field.tsx";
import { type OptionsProps, useSetting, useSinglePicture } from "./use-setting.ts";

export function UpscaleOptions({ problemIn }: OptionsProps) {
  const [values] = useSetting("upscale");
  const factor = Number(fieldValue("upscale", values, "scale_factor"));
  const single = useSinglePicture();
  const sides = single?.sides && framedSides(single.sides, single.frame);
  return (
    <>
      <div>
        <OperationField tool="upscale" name="scale_factor" problemIn={problemIn} />
        {sides && (
          <p className="mt-2 text-sm text-muted">
            {formatSides(sides.widthPx, sides.heightPx)} becomes{" "}
            {formatSides(sides.widthPx * factor, sides.heightPx * factor)} pixels.
          </p>
        )}
      </div>
      <OperationField tool="upscale" name="model" problemIn={problemIn} isList />
      <p className="text-sm text-muted">
        A neural network draws the new pixels. 8× is 4×, then 2×. Animations cannot be upscaled.
      </p>
    </>
  );
}
