import { placeColour } from "./colour-distance.ts";
import type { TolerantChoices } from "./tolerant-choices.ts";

/** The filter coefficient for the drift of the left pixel, and for that of the pixel above. */
export const driftMemory = 0.45;

/**
 * Drift: the errors of the chosen pixels, low-pass filtered along the row and from the row above, in the three
 * coordinates of `placeColour`. It measures how far the mean colour of an area is off.
 */
export type Drift = {
  /** Drift of the previous pixel: [3]. */
  left: Float32Array;
  /** By column: drift of the latest pixel in it, which for the pixels to come is the one above. [width * 3] */
  above: Float32Array;
  /** Updates the drift by the pixels chosen before this position. */
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
