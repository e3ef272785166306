import { gifFile } from "./gif-file.ts";

/** A smooth landscape with grain that moves by two pixels per frame: six frames, each with a local colour table. */
export function driftingPhoto(): Uint8Array {
  const [width, height] = [72, 48];
  const grain = createGrain();
  const colours = Array.from({ length: 216 }, (_, at) => {
    const [red, green, blue] = [at % 6, Math.floor(at / 6) % 6, Math.floor(at / 36)];
    return (red * 51 * 256 + green * 51) * 256 + blue * 51;
  });
  const level = (value: number) => Math.max(0, Math.min(5, Math.round((value + grain() * 50) / 51)));
  const frames = Array.from({ length: 6 }, (_, frame) => ({
    left: 0,
    top: 0,
    width,
    height,
    delayCs: 8,
    // A local table of the same colours in another order, as most encoders write.
    colours: [...colours.slice(frame), ...colours.slice(0, frame)],
    indices: Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [(at % width) + frame * 2, Math.floor(at / width)];
      const [red, green, blue] = [128 + 90 * Math.sin(x / 17), 60 + y * 3, 200 - y * 2 + 30 * Math.cos(x / 9)];
      const index = level(red) + 6 * level(green) + 36 * level(blue);
      return (index - frame + 216) % 216;
    }),
  }));
  return gifFile({ width, height, loopCount: 0, frames });
}

/** Soft-edged dark marks that appear one by one on a light background; each frame is complete. */
export function typedText(): Uint8Array {
  const [width, height] = [64, 32];
  const globalColours = Array.from({ length: 16 }, (_, at) => (255 - at * 15) * 0x010101);
  const frames = Array.from({ length: 8 }, (_, frame) => ({
    left: 0,
    top: 0,
    width,
    height,
    delayCs: 8,
    indices: Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      const isTyped = Math.floor(x / 8) + 8 * Math.floor(y / 16) < frame * 2;
      return isTyped ? Math.max(0, 15 - 4 * Math.abs((x % 8) - 3) - ((y * (1 + (x >> 3))) % 5)) : 0;
    }),
  }));
  return gifFile({ width, height, globalColours, loopCount: 0, frames });
}

/** Pseudo-random grain, -0.5..0.5, always the same. */
function createGrain(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
}
