import { placeColour } from "./colour-distance.ts";
import type { TolerantChoices } from "./tolerant-choices.ts";

/** The share of the drift at the left, and of that above, that a pixel inherits. */
export const driftMemory = 0.45;

/**
 * The distance by which an area's colours have drifted from the wanted ones: the errors of the chosen pixels,
 * low-passed along the row and down from the row above, in the three coordinates of `placeColour`.
 */
export type Drift = {
  /** Drift of the pixel before the next one: [3]. */
  left: Float32Array;
  /** Drift of the pixel above each column: [width * 3]. */
  above: Float32Array;
  /** Adds the pixels chosen up to this position. */
  follow(position: number): void;
};

export function createDrift(choices: TolerantChoices, indices: Uint8Array): Drift {
  const { width, wantedColours, shownColours, transparentIndex, colours } = choices;
  const { places } = colours;
  const left = new Float32Array(3);
  const above = new Float32Array(width * 3);
  const wanted = new Float32Array(3);
  const shown = new Float32Array(3);
  let followed = 0;
  return {
    left,
    above,
    follow(position) {
      for (; followed < position; followed++) {
        const index = indices[followed] as number;
        const column = (followed % width) * 3;
        placeColour(wantedColours[followed] as number, wanted, 0);
        if (index === transparentIndex) placeColour(shownColours[followed] as number, shown, 0);
        for (let axis = 0; axis < 3; axis++) {
          const chosen = index === transparentIndex ? shown[axis] : places[index * 3 + axis];
          const inherited = driftMemory * ((left[axis] as number) + (above[column + axis] as number));
          left[axis] = inherited + (wanted[axis] as number) - (chosen as number);
          above[column + axis] = left[axis] as number;
        }
      }
    },
  };
}
