import { isLastStep, isStep, manifestOf, type OperationName, operationNames } from "@tintype/contract";
import type { ComponentType } from "react";
import {
  CompressIcon,
  ConvertIcon,
  CutOutIcon,
  type IconProps,
  ResizeIcon,
  UpscaleIcon,
  WatermarkIcon,
} from "../../../ui/icons.tsx";

export type Tool = {
  value: OperationName;
  label: string;
  /** The URL fragment, and the id of the introduction that it links to without JavaScript. */
  anchor: string;
  /** One sentence about the tool. */
  introduction: string | undefined;
  icon: ComponentType<IconProps> | undefined;
};

const icons: Partial<Record<OperationName, Tool["icon"]>> = {
  compress: CompressIcon,
  resize: ResizeIcon,
  upscale: UpscaleIcon,
  "remove-background": CutOutIcon,
  convert: ConvertIcon,
  watermark: WatermarkIcon,
};

/** A tool's URL fragment: `remove-background` becomes `removeBackground`. */
export const anchorOf = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The studio's tabs, in order. */
export const tools: readonly Tool[] = operationNames
  .filter((name) => !isStep(name) && !isLastStep(name))
  .map((value) => {
    const { label, introduction } = manifestOf(value);
    return { value, label, introduction, anchor: anchorOf(value), icon: icons[value] };
  });

/** The tool named by a URL hash, or undefined. */
export const toolOfHash = (hash: string): OperationName | undefined =>
  tools.find(({ anchor }) => `#${anchor}` === hash)?.value;

/** Id of the tab panel of the tools' tabs. */
export const panelId = "studio-panel";
