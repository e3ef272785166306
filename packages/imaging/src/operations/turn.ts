import type { TaskOptions } from "@tintype/contract";
import type { Operation } from "./operation.ts";
import { redraw } from "./redraw.ts";

/** Quarter turns clockwise, then mirrored: every pixel keeps its value. */
export const turn: Operation = (task, context) => {
  const { degrees = 0, flip } = task.options as TaskOptions<"turn">; // parsed by the contract
  const isSideways = degrees % 180 !== 0;
  return redraw(task, context, {
    operation: "turn",
    sizeOf: ({ width, height }) => (isSideways ? { width: height, height: width } : { width, height }),
    draw(image) {
      // sharp mirrors before it turns, whatever the order of the calls: after a quarter turn the axes have changed places.
      const mirrored =
        flip === undefined ? image : (flip === "horizontal") === isSideways ? image.flip() : image.flop();
      return degrees === 0 ? mirrored : mirrored.rotate(degrees);
    },
  });
};
