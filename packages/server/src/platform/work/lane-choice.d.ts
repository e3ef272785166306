import type { Lane } from "./work.ts";
export type LaneChoice = {
    /** Which lane to ask for the next turn, and which one after it. */
    order(): readonly Lane[];
    /** Tells which lane the turn came from. */
    took(lane: Lane): void;
};
/** The fast lane goes first, and the normal one has at least one turn in five while both wait. */
export declare function createLaneChoice(): LaneChoice;
