import type { Raster } from "../../raster/raster.ts";
import { toPlace } from "./colour-space.ts";
import { nearestPlace } from "./nearest.ts";
import type { Palette } from "./quantize-colours.ts";

/** How much of an error is diffused to the neighbours, in the units of places. */
export type Dithering = {
  /** The share of it, 0 to 1. */
  strength: number;
  /** No more than this: the edge of a letter does not smear into the paper beside it. */
  most: number;
  /** Less than this is dropped: even areas stay even, and take few bytes and little time. */
  least: number;
};

/**
 * The palette index of each pixel, one byte each, by error diffusion (Floyd and Steinberg, 1976), in serpentine order.
 */
export function ditherToPalette(
  { width, height, channels, data }: Raster<Uint8Array>,
  palette: Palette,
  { strength, most, least }: Dithering,
): Uint8Array {
  const indices = new Uint8Array(width * height);
  const nearest = nearestPlace(palette.places);
  const place = new Float32Array(4);
  const hasAlpha = channels === 2 || channels === 4;
  let errors = new Float32Array((width + 2) * 4);
  let nextErrors = new Float32Array((width + 2) * 4);
  /** The last colour that came without errors and left none: even areas repeat it. */
  let evenColour = Number.NaN;
  let evenFound = 0;

  /** The part of a component's error that goes to the neighbours. */
  function diffused(error: number): number {
    const part = error * strength;
    if (part > most) return most;
    if (part < -most) return -most;
    return part < least && part > -least ? 0 : part;
  }

  for (let y = 0; y < height; y++) {
    [errors, nextErrors] = [nextErrors, errors];
    nextErrors.fill(0);
    const ahead = y % 2 === 0 ? 1 : -1;
    for (let n = 0; n < width; n++) {
      const x = ahead > 0 ? n : width - 1 - n;
      const at = (y * width + x) * channels;
      const red = data[at] as number;
      const green = channels < 3 ? red : (data[at + 1] as number);
      const blue = channels < 3 ? red : (data[at + 2] as number);
      const alpha = hasAlpha ? (data[at + channels - 1] as number) : 255;
      const colour = red | (green << 8) | (blue << 16) | (alpha << 24);
      const column = (x + 1) * 4;
      const hasError =
        errors[column] !== 0 || errors[column + 1] !== 0 || errors[column + 2] !== 0 || errors[column + 3] !== 0;
      if (!hasError && colour === evenColour) {
        indices[y * width + x] = evenFound;
        continue;
      }
      toPlace(place, 0, { red, green, blue, alpha });
      if (hasError) for (let k = 0; k < 4; k++) place[k] = (place[k] as number) + (errors[column + k] as number);
      const found = nearest(place[0] as number, place[1] as number, place[2] as number, place[3] as number);
      indices[y * width + x] = found;
      let leavesError = false;
      for (let k = 0; k < 4; k++) {
        const error = diffused((place[k] as number) - (palette.places[found * 4 + k] as number));
        if (error === 0) continue;
        leavesError = true;
        const [front, back] = [column + ahead * 4 + k, column - ahead * 4 + k];
        errors[front] = (errors[front] as number) + (error * 7) / 16;
        nextErrors[back] = (nextErrors[back] as number) + (error * 3) / 16;
        nextErrors[column + k] = (nextErrors[column + k] as number) + (error * 5) / 16;
        nextErrors[front] = (nextErrors[front] as number) + error / 16;
      }
      if (!hasError && !leavesError) [evenColour, evenFound] = [colour, found];
    }
  }
  return indices;
}
