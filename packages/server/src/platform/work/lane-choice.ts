import type { Lane } from "./work.ts";

/** Turns of the fast lane in a row, at most, while the normal lane waits. */
const fastInARow = 4;

/** Chooses the lane of the next turn: the fast one first, and the normal one at least once in five while both wait. */
export function createLaneChoice(): (waits: Record<Lane, boolean>) => Lane {
  let passedOver = 0;
  return (waits) => {
    const lane = waits.fast && (!waits.normal || passedOver < fastInARow) ? "fast" : "normal";
    passedOver = lane === "fast" && waits.normal ? passedOver + 1 : 0;
    return lane;
  };
}
