import type { Lane } from "./work.ts";

/** Maximum consecutive turns of the fast lane before the normal lane is polled first. */
const fastInARow = 4;
const fastFirst: readonly Lane[] = ["fast", "normal"];
const normalFirst: readonly Lane[] = ["normal", "fast"];

export type LaneChoice = {
  /** The lane to take the next turn from, then the second choice. */
  order(): readonly Lane[];
  /** Records which lane the turn came from. */
  took(lane: Lane): void;
};

/** The fast lane goes first. The normal lane gets at least one turn in five while both wait. */
export function createLaneChoice(): LaneChoice {
  let fastTurns = 0;
  return {
    order: () => (fastTurns < fastInARow ? fastFirst : normalFirst),
    took(lane) {
      fastTurns = lane === "fast" && fastTurns < fastInARow ? fastTurns + 1 : 0;
    },
  };
}
