import { scaleFactors } from "@tintype/contract";
import { formatSides } from "../../../lib/size.ts";
import { Choice } from "../../../ui/choice.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { useStudioState } from "../studio-context.tsx";
import { useSetting } from "./use-setting.ts";

const models = [
  { value: "auto", label: "Detect" },
  { value: "clean", label: "Sharp original" },
  { value: "compressed", label: "Traces of JPEG" },
] as const;

export function UpscaleOptions() {
  const [{ scaleFactor, model }, change] = useSetting("upscale");
  const sides = useStudioState(({ pictures }) => (pictures.length === 1 ? pictures[0]?.sides : undefined));
  return (
    <>
      <div>
        <Choice
          legend="Scale factor"
          columns={3}
          options={scaleFactors.map((factor) => ({ value: String(factor), label: `${factor}×` }))}
          value={String(scaleFactor)}
          onChoose={(chosen) => change({ scaleFactor: scaleFactors.find((factor) => String(factor) === chosen) ?? 4 })}
        />
        {sides && (
          <p className="mt-2 text-sm text-muted">
            {formatSides(sides.widthPx, sides.heightPx)} becomes{" "}
            {formatSides(sides.widthPx * scaleFactor, sides.heightPx * scaleFactor)} pixels.
          </p>
        )}
      </div>
      <SelectField
        label="Kind of picture"
        value={model}
        onChange={({ target }) =>
          change({ model: models.find(({ value }) => value === target.value)?.value ?? "auto" })
        }
      >
        {models.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <p className="text-sm text-muted">
        A neural network draws the new pixels. 8× is 4×, then 2×. Moving pictures cannot be enlarged.
      </p>
    </>
  );
}
