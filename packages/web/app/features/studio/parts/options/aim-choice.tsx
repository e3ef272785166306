import { Choice } from "../../../../ui/choice.tsx";
import { type SizeTool, useSetting } from "./use-setting.ts";

/** Whether a quality is wanted, or a size in bytes. */
export function AimChoice({ tool }: { tool: SizeTool }) {
  const [{ aim = "quality" }, change] = useSetting(tool);
  return (
    <Choice
      legend="Aim for"
      columns={2}
      options={[
        { value: "quality", label: "Appearance" },
        { value: "size", label: "File size" },
      ]}
      value={aim}
      onChoose={(chosen) => change({ aim: chosen })}
    />
  );
}
