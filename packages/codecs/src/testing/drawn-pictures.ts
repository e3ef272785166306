import type { Channels, Raster, Size } from "../raster/raster.ts";

/** Pseudo-random numbers 0..1, the same on every machine: the Park-Miller generator. */
export function randomNumbers(seed: number): () => number {
  let state = seed % 2147483647;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A picture computed pixel by pixel; values are clamped to 0..255. */
export function draw(
  { width, height }: Size,
  channels: Channels,
  colourAt: (x: number, y: number) => readonly number[],
): Raster<Uint8Array> {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (const [channel, value] of colourAt(x, y).entries())
        data[(y * width + x) * channels + channel] = Math.max(0, Math.min(255, Math.round(value)));
  return { width, height, channels, data };
}

/** Resembles a photograph: a smooth gradient, an edge, fine texture, and a little noise in every channel. */
export function drawPhoto(size: Size): Raster<Uint8Array> {
  const random = randomNumbers(7);
  return draw(size, 3, (x, y) => {
    const light = 120 + 70 * Math.sin(x / 37 + y / 61) + 25 * Math.cos(y / 23);
    const texture = (x * 0.6 + y > size.width * 0.8 ? 18 : 4) * Math.sin(x * 0.9) * Math.cos(y * 1.1);
    const grain = (random() + random() - 1) * 9;
    return [
      light + texture + grain,
      light * 0.85 + texture + grain * 0.8 + 14,
      light * 0.6 + texture * 0.7 + grain + 40,
    ];
  });
}

/** Resembles an interface: flat areas, thin lines, letters in saturated colours, one soft shadow. */
export function drawScreen(size: Size): Raster<Uint8Array> {
  return draw(size, 3, (x, y) => {
    if (y < 12) return [36, 41, 47];
    if (x % 64 === 0 || y % 48 === 0) return [208, 215, 222];
    const letter = y % 16 < 9 && (x * 7 + Math.floor(y / 16) * 5) % 11 < 4 && (x + y * 3) % 5 < 3;
    if (letter && x % 64 > 6) return y % 32 < 16 ? [207, 34, 46] : [9, 105, 218];
    const shadow = 12 * Math.exp(-((y - 12) ** 2) / 90);
    return [255 - shadow, 255 - shadow, 255 - shadow];
  });
}

/** Resembles a logo: an anti-aliased disc, translucent inside, on transparency. */
export function drawLogo(size: Size): Raster<Uint8Array> {
  const [middleX, middleY, radius] = [size.width / 2, size.height / 2, Math.min(size.width, size.height) * 0.42];
  return draw(size, 4, (x, y) => {
    const distance = Math.hypot(x - middleX, y - middleY);
    const alpha = Math.max(0, Math.min(1, radius - distance)) * (x > middleX ? 1 : 0.55);
    return alpha === 0 ? [0, 0, 0, 0] : [230 - y * 0.4, 60 + x * 0.5, 120 + distance * 0.8, alpha * 255];
  });
}
