import sharp from "sharp";

const [widthPx, heightPx, frames] = [480, 320, 36];

/** The same two seconds as GIF and as WebP: a ball over a soft, grainy background, as from a camera. */
export async function measureAnimation(): Promise<Record<string, string>> {
  const strip = sharp(draw(), {
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

function draw(): Buffer {
  const pixels = Buffer.alloc(widthPx * heightPx * frames * 3);
  let seed = 1;
  const grain = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed / 2_147_483_648 - 0.5) * 5;
  };
  for (let frame = 0; frame < frames; frame += 1) {
    const share = frame / frames;
    const [cx, cy] = [60 + share * 360, 250 - 170 * Math.abs(Math.sin(share * Math.PI * 2))];
    for (let y = 0; y < heightPx; y += 1)
      for (let x = 0; x < widthPx; x += 1) {
        const at = ((frame * heightPx + y) * widthPx + x) * 3;
        const near = Math.hypot(x - cx, y - cy) / 34;
        const shade = near < 1 ? 1 - 0.5 * Math.hypot((x - cx) / 34 + 0.35, (y - cy) / 34 + 0.35) : 0;
        const ground = 205 - 60 * (y / heightPx) + 12 * Math.sin(x / 90) + grain();
        const [r, g, b] = near < 1 ? [225 * shade, 80 * shade, 55 * shade] : [ground, ground * 0.96, ground * 0.9];
        pixels[at] = clamp(r);
        pixels[at + 1] = clamp(g);
        pixels[at + 2] = clamp(b);
      }
  }
  return pixels;
}

const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
