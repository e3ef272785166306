import sharp from "sharp";
import { drawCamera, heightPx, widthPx } from "../gif/animations.ts";

const frames = 36;

/** The same two seconds as GIF and as WebP: a ball over a soft, grainy background, as from a camera. */
export async function measureAnimation(): Promise<Record<string, string>> {
  const strip = sharp(drawCamera(frames, createGrain()).data, {
    raw: { width: widthPx, height: heightPx * frames, channels: 3, pageHeight: heightPx },
  });
  const delay = Array.from({ length: frames }, () => 56);
  const [gif, webp, lossless] = await Promise.all([
    strip.clone().gif({ delay, effort: 10 }).toBuffer(),
    strip.clone().webp({ delay, quality: 75, effort: 4 }).toBuffer(),
    strip.clone().webp({ delay, lossless: true, effort: 4 }).toBuffer(),
  ]);
  const kilobytes = (bytes: number) => Math.round(bytes / 1000).toLocaleString("en");
  return {
    "animation.frames": String(frames),
    "animation.gif": kilobytes(gif.length),
    "animation.webp": kilobytes(webp.length),
    "animation.webpLossless": kilobytes(lossless.length),
    "animation.times": (gif.length / webp.length).toFixed(0),
  };
}

/** The same noise every time. */
function createGrain(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed / 2_147_483_648 - 0.5) * 5;
  };
}
