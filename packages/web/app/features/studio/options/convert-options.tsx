import { useStudioState } from "../studio-context.tsx";
import { OperationField } from "./operation-field.tsx";
import type { OptionsProps } from "./use-setting.ts";

export function ConvertOptions({ problemIn }: OptionsProps) {
  const detection = useStudioState((state) => state.detection);
  return (
    <>
      <OperationField
        tool="convert"
        name="source_format"
        problemIn={problemIn}
        hint={<span role="status">{detection ?? "Filled in from the first picture."}</span>}
      />
      <OperationField tool="convert" name="target_format" problemIn={problemIn} />
    </>
  );
}
