import type { TaskOptions } from "@tintype/contract";
import { turned } from "../raster/turned.ts";
import type { Operation } from "./operation.ts";
import { redraw } from "./redraw.ts";

/** Quarter turns clockwise, then mirrored: every pixel keeps its value. */
export const turn: Operation = (task, context) => {
  const options = task.options as TaskOptions<"turn">; // parsed by the contract
  const isSideways = (options.degrees ?? 0) % 180 !== 0;
  return redraw(task, context, {
    operation: "turn",
    sizeOf: ({ width, height }) => (isSideways ? { width: height, height: width } : { width, height }),
    draw: (image) => turned(image, options),
  });
};
