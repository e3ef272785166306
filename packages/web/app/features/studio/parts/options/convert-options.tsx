import { defaultQualities } from "@tintype/contract";
import { useStudioState } from "../../work/studio-context.tsx";
import { AimChoice, SizeField } from "./aim-field.tsx";
import { OperationField } from "./operation-field.tsx";
import { QualityField } from "./quality-field.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

export function ConvertOptions({ problemIn }: OptionsProps) {
  const detection = useStudioState((state) => state.detection);
  const [{ aim = "quality" }] = useSetting("convert");
  return (
    <>
      <OperationField
        tool="convert"
        name="source_format"
        problemIn={problemIn}
        hint={<span role="status">{detection ?? "Detected from the first image."}</span>}
      />
      <OperationField tool="convert" name="target_format" problemIn={problemIn} />
      <AimChoice tool="convert" />
      {aim === "size" ? (
        <SizeField tool="convert" problemIn={problemIn} />
      ) : (
        <div>
          <QualityField tool="convert" problemIn={problemIn} placeholder="auto" />
          <p className="mt-2 text-sm text-muted">Default {defaultQualities.others}. PNG, TIFF and BMP are lossless.</p>
        </div>
      )}
    </>
  );
}
