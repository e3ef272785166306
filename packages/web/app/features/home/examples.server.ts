import { type OperationName, tasks } from "@tintype/contract";
import type { ComponentProps } from "react";
import { formatBytes, formatSides } from "../../lib/size.ts";
import type { BeforeAfter } from "../../ui/before-after.tsx";
import examples from "./examples.json" with { type: "json" };

const files = import.meta.glob<string>("../../pictures/examples/*.webp", {
  query: "?url",
  import: "default",
  eager: true,
});
const pictureAt = (name: string): string => {
  const url = files[`../../pictures/examples/${name}.webp`];
  if (!url) throw new Error(`There is no example "${name}"`);
  return url;
};

export type Example = Pick<ComponentProps<typeof BeforeAfter>, "before" | "after" | "widthPx" | "heightPx"> & {
  operation: OperationName;
  tool: string;
  /** The path of the tool in the studio. */
  to: string;
  caption: string;
  /** The picture before is smaller, and is enlarged without smoothing. */
  isEnlarged: boolean;
};

/** Results of the tools on our own samples, made by a running server for scripts/pictures/examples.mjs. */
export function readExamples(): Example[] {
  const { compress, upscale, width: widthPx, height: heightPx } = examples;
  const share = Math.round((1 - compress.afterBytes / compress.beforeBytes) * 100);
  const sizeOf = (times: number) => `${formatSides(upscale.widthPx * times, upscale.heightPx * times)} px`;
  const sides = (name: string, before: string, after: string) => ({
    before: { src: pictureAt(`${name}-before`), label: before },
    after: { src: pictureAt(`${name}-after`), label: after },
    widthPx,
    heightPx,
  });
  return [
    {
      operation: "compress",
      tool: tasks.compress.label,
      to: "/#compress",
      ...sides("compress", formatBytes(compress.beforeBytes), formatBytes(compress.afterBytes)),
      caption: `A JPEG at quality ${compress.quality}: ${share}% smaller.`,
      isEnlarged: false,
    },
    {
      operation: "upscale",
      tool: tasks.upscale.label,
      to: "/#upscale",
      ...sides("upscale", "Before", `${upscale.factor}×`),
      caption: `From ${sizeOf(1)} to ${sizeOf(upscale.factor)}, redrawn by a neural network.`,
      isEnlarged: true,
    },
    {
      operation: "remove-background",
      tool: tasks["remove-background"].label,
      to: "/#removeBackground",
      ...sides("cutout", "Before", "Cut out"),
      caption: "Fine bristles stay soft, with no trace of the old background colour.",
      isEnlarged: false,
    },
  ];
}
