import { type Place, placeLabels, tasks } from "@tintype/contract";
import { useId } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { Choice, type Option } from "../../../../ui/choice.tsx";
import { SliderField } from "../../../../ui/slider-field.tsx";
import { fieldValue } from "../../state/form-fields.ts";
import { AuxiliaryPicture } from "./auxiliary-picture.tsx";
import { ColourField, OperationField } from "./operation-field.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

type Mark = "text" | "logo";
const marks: ReadonlyArray<Option<Mark>> = [
  { value: "text", label: "Text" },
  { value: "logo", label: "Logo" },
];

type Colour = "auto" | "#ffffff" | "#000000" | "own";
const colours: ReadonlyArray<Option<Colour>> = [
  { value: "auto", label: "Auto" },
  { value: "#ffffff", label: "White" },
  { value: "#000000", label: "Black" },
  { value: "own", label: "Other" },
];
/** Where the choice of another colour begins. */
const firstColour = "#c2410c";

export function WatermarkOptions({ problemIn }: OptionsProps) {
  const [values, change] = useSetting("watermark");
  const { mark = "text", picture } = values;
  const field = { tool: "watermark", problemIn } as const;
  const isTiled = fieldValue("watermark", values, "tiled") === "true";
  return (
    <>
      <Choice<Mark>
        legend="Mark"
        columns={2}
        options={marks}
        value={mark}
        onChoose={(chosen) => change({ mark: chosen })}
      />
      {mark === "logo" ? (
        <AuxiliaryPicture label="Logo" picture={picture} onChoose={(chosen) => change({ picture: chosen })} />
      ) : (
        <>
          <OperationField name="text" placeholder="© Your name" {...field} />
          <OperationField name="font" columns={2} {...field} />
          <TextColour />
        </>
      )}
      <PercentField name="size" />
      <PercentField name="opacity" />
      <OperationField name="tiled" {...field} />
      {!isTiled && (
        <>
          <PlaceField
            label="Position"
            value={fieldValue("watermark", values, "position") as Place} // a value of the choice
            onChoose={(position) => change({ position })}
          />
          <PercentField name="margin" />
        </>
      )}
      <OperationField name="angle" {...field} />
    </>
  );
}

function PercentField({ name }: { name: "size" | "opacity" | "margin" }) {
  const [values, change] = useSetting("watermark");
  const { label, min, max } = tasks.watermark.fields[name];
  const value = Number(fieldValue("watermark", values, name));
  return (
    <SliderField isWide {...{ label, min, max, value }} onChange={(chosen) => change({ [name]: String(chosen) })} />
  );
}

function TextColour() {
  const [values, change] = useSetting("watermark");
  const colour = fieldValue("watermark", values, "colour");
  const kind = colours.find(({ value }) => value === colour)?.value ?? "own";
  return (
    <div className="flex flex-col gap-3">
      <Choice<Colour>
        legend="Colour"
        columns={4}
        options={colours}
        value={kind}
        onChoose={(chosen) => change({ colour: chosen === "own" ? firstColour : chosen })}
      />
      {kind === "own" && (
        <ColourField label="Text colour" value={colour} onChange={(chosen) => change({ colour: chosen })} />
      )}
    </div>
  );
}

/** The nine places as they lie on a picture. */
const rows: ReadonlyArray<readonly [Place, Place, Place]> = [
  ["northwest", "north", "northeast"],
  ["west", "centre", "east"],
  ["southwest", "south", "southeast"],
];

function PlaceField({ label, value, onChoose }: { label: string; value: Place; onChoose(place: Place): void }) {
  const name = useId();
  return (
    <div role="radiogroup" aria-labelledby={`${name}-legend`} className="min-w-0">
      <p id={`${name}-legend`} className="mb-1.5 text-sm font-medium">
        {label}
        <span className="ml-2 font-normal text-muted">{placeLabels[value]}</span>
      </p>
      <div className="grid w-36 grid-cols-3 overflow-hidden rounded-md border border-edge">
        {rows.flat().map((place) => (
          <label
            key={place}
            className="relative flex h-9 items-center justify-center has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={place}
              aria-label={placeLabels[place]}
              checked={place === value}
              onChange={() => onChoose(place)}
              className="absolute inset-0 size-full cursor-pointer appearance-none outline-none"
            />
            <span
              aria-hidden
              className={joinClasses("size-2 rounded-full", place === value ? "scale-150 bg-ink" : "bg-edge")}
            />
          </label>
        ))}
      </div>
    </div>
  );
}
