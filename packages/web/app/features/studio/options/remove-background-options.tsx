import { manualProfile } from "@tintype/contract";
import { Choice, type Option } from "../../../ui/choice.tsx";
import { Switch } from "../../../ui/switch.tsx";
import type { Ground, Settings } from "../state/settings.ts";
import { BackgroundPicture } from "./background-picture.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

type Profile = Settings["remove-background"]["profile"];

const profiles: ReadonlyArray<Option<Profile | typeof manualProfile>> = [
  { value: "auto_rembg", label: "Auto", hint: "Most pictures" },
  { value: "product_pro", label: "Product", hint: "Firm edges" },
  { value: "portrait_pro", label: "Portrait", hint: "People, hair" },
  { value: manualProfile, label: "Manual Studio", hint: "Coming soon", isDisabled: true },
];
const grounds: ReadonlyArray<Option<Ground>> = [
  { value: "transparent", label: "Nothing" },
  { value: "colour", label: "Colour" },
  { value: "picture", label: "Picture" },
];

export function RemoveBackgroundOptions({ problemIn }: OptionsProps) {
  const [{ profile, ground, colour, picture, isCropped, isMaskOnly }, change] = useSetting("remove-background");
  const problemId = problemIn("background");
  return (
    <>
      <Choice<Profile | typeof manualProfile>
        legend="Background profile"
        columns={2}
        options={profiles}
        value={profile}
        onChoose={(chosen) => chosen !== manualProfile && change({ profile: chosen })}
      />
      <div className="flex flex-col gap-3">
        <Choice<Ground>
          legend="New background"
          columns={3}
          options={grounds}
          value={ground}
          onChoose={(chosen) => change({ ground: chosen })}
          problemId={problemId}
        />
        {ground === "colour" && (
          <label className="flex items-center gap-3 text-sm">
            <span className="sr-only">Colour of the background</span>
            <input
              type="color"
              value={colour}
              onChange={(event) => change({ colour: event.target.value })}
              className="size-10 cursor-pointer rounded-md border border-edge bg-surface p-1"
            />
            {colour}
          </label>
        )}
        {ground === "picture" && (
          <BackgroundPicture picture={picture} onChoose={(chosen) => change({ picture: chosen })} />
        )}
      </div>
      <details className="group text-sm">
        <summary className="rounded-sm font-medium text-muted hover:text-ink">More options</summary>
        <div className="mt-4 flex flex-col gap-4">
          <Switch label="Crop to the subject" isOn={isCropped} onChange={(isOn) => change({ isCropped: isOn })} />
          <Switch
            label="Only the mask"
            hint="A grey picture: white is subject."
            isOn={isMaskOnly}
            onChange={(isOn) => change({ isMaskOnly: isOn })}
          />
        </div>
      </details>
    </>
  );
}
