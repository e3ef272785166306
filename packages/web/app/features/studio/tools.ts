import { type OperationName, operationNames, tasks } from "@tintype/contract";
import type { ComponentType } from "react";
import { CompressIcon, ConvertIcon, CutOutIcon, type IconProps, ResizeIcon, UpscaleIcon } from "../../ui/icons.tsx";

export type Tool = {
  value: OperationName;
  label: string;
  /** The address's part after `#`, and the id of the introduction that it leads to without script. */
  anchor: string;
  icon: ComponentType<IconProps>;
};

const looks: Record<OperationName, Pick<Tool, "anchor" | "icon">> = {
  compress: { anchor: "compress", icon: CompressIcon },
  resize: { anchor: "resize", icon: ResizeIcon },
  upscale: { anchor: "upscale", icon: UpscaleIcon },
  "remove-background": { anchor: "removeBackground", icon: CutOutIcon },
  convert: { anchor: "convert", icon: ConvertIcon },
};

/** The studio's tabs, in order. */
export const tools: readonly Tool[] = operationNames.map((value) => ({
  value,
  label: tasks[value].label,
  ...looks[value],
}));

/** The tool that an address's hash names, or undefined. */
export const toolOfHash = (hash: string): OperationName | undefined =>
  tools.find(({ anchor }) => `#${anchor}` === hash)?.value;
