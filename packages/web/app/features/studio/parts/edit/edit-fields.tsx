import { Choice, type Option } from "../../../../ui/choice.tsx";
import { SliderField } from "../../../../ui/slider-field.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import type { EditSettings } from "../../state/picture.ts";
import { AuxiliaryPicture } from "../options/auxiliary-picture.tsx";
import { ColourField } from "../options/operation-field.tsx";

const grounds: ReadonlyArray<Option<EditSettings["ground"]>> = [
  { value: "transparent", label: "Transparent" },
  { value: "colour", label: "Colour" },
  { value: "picture", label: "Image" },
  { value: "blur", label: "Blur" },
];

/** The fields for background, shadow and crop. */
export function EditFields({ edit, onChange }: { edit: EditSettings; onChange(patch: Partial<EditSettings>): void }) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <Choice
          legend="Background"
          columns={2}
          options={grounds}
          value={edit.ground}
          onChoose={(ground) => onChange({ ground })}
        />
        {edit.ground === "colour" && (
          <ColourField label="Background colour" value={edit.colour} onChange={(colour) => onChange({ colour })} />
        )}
        {edit.ground === "picture" && (
          <AuxiliaryPicture
            label="Background image"
            picture={edit.picture}
            onChoose={(picture) => onChange({ picture })}
          />
        )}
        {edit.ground === "blur" && (
          <SliderField label="Blur" min={1} max={100} value={edit.blur} onChange={(blur) => onChange({ blur })} />
        )}
      </div>
      <div className="flex flex-col gap-3">
        <SliderField
          label="Soft shadow"
          min={0}
          max={100}
          value={edit.shadow}
          onChange={(shadow) => onChange({ shadow })}
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <Switch label="Crop to the subject" isOn={edit.isCropped} onChange={(isCropped) => onChange({ isCropped })} />
          {edit.isCropped && (
            <SliderField
              label="Margin, %"
              min={0}
              max={50}
              value={edit.margin}
              onChange={(margin) => onChange({ margin })}
            />
          )}
        </div>
      </div>
    </div>
  );
}
