import sharp from "sharp";

/** A JPEG of noise over a gradient, the same each time: it compresses like a photograph. */
export async function drawnJpeg({
  width,
  height,
  seed = 1,
}: {
  width: number;
  height: number;
  seed?: number;
}): Promise<Buffer> {
  let state = seed;
  const next = () => {
    state = (state * 48271) % 2147483647; // the Park-Miller generator
    return state / 2147483647;
  };
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) data[i] = ((Math.floor(i / 3) % width) / width) * 200 + next() * 50;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}
