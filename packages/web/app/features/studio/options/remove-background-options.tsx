import { manualProfile } from "@tintype/contract";
import { Choice, type Option } from "../../../ui/choice.tsx";
import { Switch } from "../../../ui/switch.tsx";
import type { Settings } from "../state/settings.ts";
import { useSetting } from "./use-setting.ts";

type Profile = Settings["remove-background"]["profile"];

const profiles: ReadonlyArray<Option<Profile | typeof manualProfile>> = [
  { value: "auto_rembg", label: "Auto", hint: "Most pictures" },
  { value: "product_pro", label: "Product", hint: "Firm edges" },
  { value: "portrait_pro", label: "Portrait", hint: "People, hair" },
  { value: manualProfile, label: "Manual Studio", hint: "Coming soon", isDisabled: true },
];

export function RemoveBackgroundOptions() {
  const [{ profile, background, isCropped, isMaskOnly }, change] = useSetting("remove-background");
  return (
    <>
      <Choice<Profile | typeof manualProfile>
        legend="Background profile"
        columns={2}
        options={profiles}
        value={profile}
        onChoose={(chosen) => chosen !== manualProfile && change({ profile: chosen })}
      />
      <details className="group text-sm">
        <summary className="rounded-sm font-medium text-muted hover:text-ink">More options</summary>
        <div className="mt-4 flex flex-col gap-4">
          <Switch
            label="Colour behind the subject"
            hint={background === "" ? "Off: transparent." : undefined}
            isOn={background !== ""}
            onChange={(isOn) => change({ background: isOn ? "#ffffff" : "" })}
          />
          {background !== "" && (
            <label className="flex items-center gap-3 pl-13">
              <input
                type="color"
                value={background}
                onChange={(event) => change({ background: event.target.value })}
                className="size-10 cursor-pointer rounded-md border border-edge bg-surface p-1"
              />
              Colour
            </label>
          )}
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
