import { maxSidePx } from "@tintype/contract";
import { formatNumber } from "../../../lib/size.ts";
import { OperationField } from "./operation-field.tsx";
import type { OptionsProps } from "./use-setting.ts";

export function ResizeOptions({ problemIn }: OptionsProps) {
  const side = { tool: "resize", placeholder: "auto", problemIn } as const;
  return (
    <>
      <div>
        <div className="grid grid-cols-2 gap-3">
          <OperationField name="width" {...side} />
          <OperationField name="height" {...side} />
        </div>
        <p className="mt-2 text-sm text-muted">
          Pixels, 1 to {formatNumber(maxSidePx)}. Leave one blank to keep the ratio.
        </p>
      </div>
      <OperationField tool="resize" name="method" problemIn={problemIn} />
    </>
  );
}
