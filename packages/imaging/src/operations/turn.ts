import type { TaskOptions } from "@tintype/contract";
import { turned, turnedSize } from "../raster/turned.ts";
import type { Operation } from "./operation.ts";
import { redraw } from "./redraw.ts";

/** Quarter turns clockwise, then mirrored: every pixel keeps its value. */
export const turn: Operation = (task, context) => {
  const options = task.options as TaskOptions<"turn">; // parsed by the contract
  return redraw(task, context, {
    operation: "turn",
    plan: (source) => ({ size: turnedSize(source, options), draw: (image) => turned(image, options) }),
  });
};
