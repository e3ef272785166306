import type { TaskOptions } from "@tintype/contract";
import { cropRegion } from "./crop-region.ts";
import type { Operation } from "./operation.ts";
import { redraw } from "./redraw.ts";

/** A part of the upright picture, straightened first if requested. */
export const crop: Operation = (task, context) => {
  const options = task.options as TaskOptions<"crop">; // parsed by the contract
  const { straighten: degrees = 0 } = options;
  const regionOf = (source: { width: number; height: number }) => cropRegion(source, options);
  return redraw(task, context, {
    operation: "crop",
    sizeOf: regionOf,
    ...(degrees === 0
      ? { draw: (image, source) => image.extract(regionOf(source)) }
      : { draw: (image) => image, straightening: (source) => ({ degrees, region: regionOf(source) }) }),
  });
};
