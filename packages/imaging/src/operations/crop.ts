import type { TaskOptions } from "@tintype/contract";
import { cropRegion } from "./crop-region.ts";
import type { Operation } from "./operation.ts";
import { redraw } from "./redraw.ts";
import { findSubject } from "./resize/find-subject.ts";

/** A part of the upright picture, straightened first if requested. */
export const crop: Operation = (task, context) => {
  const options = task.options as TaskOptions<"crop">; // parsed by the contract
  const { straighten: degrees = 0, gravity } = options;
  return redraw(task, context, {
    operation: "crop",
    async plan(source) {
      const centred = cropRegion(source, options);
      const region = gravity === "smart" ? cropRegion(source, options, await findSubject(source, centred)) : centred;
      return degrees === 0
        ? { size: region, draw: (image) => image.extract(region) }
        : { size: region, draw: (image) => image, straightening: { degrees, region } };
    },
  });
};
