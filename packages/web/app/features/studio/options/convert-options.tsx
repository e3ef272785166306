import { useStudioState } from "../studio-context.tsx";
import { AimChoice, SizeField } from "./aim-choice.tsx";
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
        hint={<span role="status">{detection ?? "Filled in from the first picture."}</span>}
      />
      <OperationField tool="convert" name="target_format" problemIn={problemIn} />
      <AimChoice tool="convert" />
      {aim === "size" ? (
        <SizeField tool="convert" problemIn={problemIn} />
      ) : (
        <div>
          <QualityField tool="convert" problemIn={problemIn} placeholder="auto" />
          <p className="mt-2 text-sm text-muted">Blank: 85, and PNG, TIFF and BMP without loss.</p>
        </div>
      )}
    </>
  );
}
