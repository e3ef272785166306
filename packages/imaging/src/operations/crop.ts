import type { TaskOptions } from "@tintype/contract";
import { cropRegion } from "./crop-region.ts";
import type { Operation } from "./operation.ts";
import { redraw } from "./redraw.ts";

/** A part of the upright picture. */
export const crop: Operation = (task, context) => {
  const options = task.options as TaskOptions<"crop">; // parsed by the contract
  return redraw(task, context, {
    operation: "crop",
    sizeOf: (source) => cropRegion(source, options),
    draw: (image, source) => image.extract(cropRegion(source, options)),
  });
};
