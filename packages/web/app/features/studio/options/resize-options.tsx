import { maxSidePx } from "@tintype/contract";
import { formatNumber } from "../../../lib/size.ts";
import { Choice } from "../../../ui/choice.tsx";
import { TextField } from "../../../ui/field.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

const methods = [
  { value: "fit", label: "Fit" },
  { value: "fill", label: "Fill" },
  { value: "stretch", label: "Stretch" },
] as const;

const hints = {
  fit: "The whole picture, inside the box.",
  fill: "The whole box; what stands over is cut off evenly.",
  stretch: "Exactly the box, whatever becomes of the shape.",
};

export function ResizeOptions({ problemIn }: OptionsProps) {
  const [{ width, height, method }, change] = useSetting("resize");
  const side = { inputMode: "numeric", autoComplete: "off", placeholder: "auto" } as const;
  return (
    <>
      <div>
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Width"
            value={width}
            onChange={(event) => change({ width: event.target.value })}
            problemId={problemIn("width")}
            {...side}
          />
          <TextField
            label="Height"
            value={height}
            onChange={(event) => change({ height: event.target.value })}
            problemId={problemIn("height")}
            {...side}
          />
        </div>
        <p className="mt-2 text-sm text-muted">
          Pixels, 1 to {formatNumber(maxSidePx)}. Leave one blank to keep the ratio.
        </p>
      </div>
      <div>
        <Choice
          legend="Method"
          columns={3}
          options={methods}
          value={method}
          onChoose={(chosen) => change({ method: chosen })}
        />
        <p className="mt-2 text-sm text-muted">{hints[method]}</p>
      </div>
    </>
  );
}
