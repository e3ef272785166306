import sharp, { type Sharp } from "sharp";

export type NamedPicture = { name: string; mimeType: string; buffer: Buffer };

/** A picture with visible content that compresses: soft colours under fine grain. */
function drawn(widthPx: number, heightPx: number): Sharp {
  const pixels = Buffer.alloc(widthPx * heightPx * 3);
  for (let y = 0; y < heightPx; y += 1)
    for (let x = 0; x < widthPx; x += 1) {
      const at = (y * widthPx + x) * 3;
      const grain = ((x * 7919) ^ (y * 104_729)) % 23;
      pixels[at] = (x / widthPx) * 220 + grain;
      pixels[at + 1] = (y / heightPx) * 200 + grain;
      pixels[at + 2] = 120 + 80 * Math.sin(x / 40) + grain;
    }
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } });
}

export const jpeg = async (name: string, widthPx = 640, heightPx = 480): Promise<NamedPicture> => ({
  name,
  mimeType: "image/jpeg",
  buffer: await drawn(widthPx, heightPx).jpeg({ quality: 95 }).toBuffer(),
});
export const png = async (name: string, widthPx = 320, heightPx = 240): Promise<NamedPicture> => ({
  name,
  mimeType: "image/png",
  buffer: await drawn(widthPx, heightPx).png().toBuffer(),
});
/** No browser on this system can display it. */
export const tiff = async (name: string): Promise<NamedPicture> => ({
  name,
  mimeType: "image/tiff",
  buffer: await drawn(200, 150).tiff().toBuffer(),
});
/** A photograph truncated to its first half. */
export async function cutOff(name: string): Promise<NamedPicture> {
  const whole = await jpeg(name, 1200, 900);
  return { ...whole, buffer: whole.buffer.subarray(0, Math.round(whole.buffer.length / 2)) };
}
export const notAPicture = (name: string, mimeType: string): NamedPicture => ({
  name,
  mimeType,
  buffer: Buffer.from("This is a letter, whatever its name says.\n"),
});
