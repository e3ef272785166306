import type { Lane } from "./work.ts";

/** Turns of the fast lane in a row, at most, before the normal lane is asked first. */
const fastInARow = 4;
const fastFirst: readonly Lane[] = ["fast", "normal"];
const normalFirst: readonly Lane[] = ["normal", "fast"];

export type LaneChoice = {
  /** Which lane to ask for the next turn, and which one after it. */
  order(): readonly Lane[];
  /** Records which lane the turn came from. */
  took(lane: Lane): void;
};

/** The fast lane goes first, and the normal one has at least one turn in five while both wait. */
export function createLaneChoice(): LaneChoice {
  let fastTurns = 0;
  return {
    order: () => (fastTurns < fastInARow ? fastFirst : normalFirst),
    took(lane) {
      fastTurns = lane === "fast" && fastTurns < fastInARow ? fastTurns + 1 : 0;
    },
  };
}
