import type { Raster } from "../../../raster/raster.ts";
import { toPlace } from "./colour-space.ts";
import type { Palette } from "./find-palette.ts";
import { nearestPlace } from "./nearest.ts";

/**
 * The number of each pixel's colour in the palette, one byte each, errors diffused at `strength` (0 to 1; Floyd and
 * Steinberg, rows in turn from either side). It passes on no error beyond `reach`: the edge of a letter does not smear
 * into the paper beside it.
 */
export function ditherToPalette(
  { width, height, channels, data }: Raster<Uint8Array>,
  palette: Palette,
  { strength, reach }: { strength: number; reach: number },
): Uint8Array {
  const numbers = new Uint8Array(width * height);
  const nearest = nearestPlace(palette.places);
  const place = new Float32Array(4);
  const hasAlpha = channels === 2 || channels === 4;
  let errors = new Float32Array((width + 2) * 4);
  let nextErrors = new Float32Array((width + 2) * 4);
  for (let y = 0; y < height; y++) {
    [errors, nextErrors] = [nextErrors, errors];
    nextErrors.fill(0);
    const ahead = y % 2 === 0 ? 1 : -1;
    for (let n = 0; n < width; n++) {
      const x = ahead > 0 ? n : width - 1 - n;
      const at = (y * width + x) * channels;
      const red = data[at] as number;
      toPlace(place, 0, {
        red,
        green: channels < 3 ? red : (data[at + 1] as number),
        blue: channels < 3 ? red : (data[at + 2] as number),
        alpha: hasAlpha ? (data[at + channels - 1] as number) : 255,
      });
      const column = (x + 1) * 4;
      const [light, blue] = [
        (place[0] as number) + (errors[column] as number),
        (place[1] as number) + (errors[column + 1] as number),
      ];
      const [r, alpha] = [
        (place[2] as number) + (errors[column + 2] as number),
        (place[3] as number) + (errors[column + 3] as number),
      ];
      const found = nearest(light, blue, r, alpha);
      numbers[y * width + x] = found;
      if (strength === 0) continue;
      const wanted = [light, blue, r, alpha];
      for (let k = 0; k < 4; k++) {
        const off = ((wanted[k] as number) - (palette.places[found * 4 + k] as number)) * strength;
        const error = Math.max(-reach, Math.min(reach, off));
        const [front, back] = [column + ahead * 4 + k, column - ahead * 4 + k];
        errors[front] = (errors[front] as number) + (error * 7) / 16;
        nextErrors[back] = (nextErrors[back] as number) + (error * 3) / 16;
        nextErrors[column + k] = (nextErrors[column + k] as number) + (error * 5) / 16;
        nextErrors[front] = (nextErrors[front] as number) + error / 16;
      }
    }
  }
  return numbers;
}
