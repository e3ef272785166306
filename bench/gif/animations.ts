import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

export type BenchAnimation = { name: string; bytes: Uint8Array };

export const [widthPx, heightPx] = [480, 320];

/** The one of the data folder, and drawn ones of the kinds that GIFs are made of, written by sharp's encoder. */
export async function* animations(packs: string): AsyncGenerator<BenchAnimation> {
  yield { name: "world in time zones", bytes: await readFile(join(packs, "formats/animated/animated.gif")) };
  yield { name: "pan over a photo", bytes: await pan(join(packs, "photos/kodak_23_parrots.png")) };
  yield { name: "camera with grain", bytes: await write(drawCamera(30, createNoise(5)), { frames: 30, dither: 1 }) };
  yield { name: "screen recording", bytes: await screen() };
  yield { name: "transparent sprite", bytes: await sprite() };
  yield { name: "still photo", bytes: await still(join(packs, "photos/kodak_03_caps.png")) };
}

type Strip = { data: Buffer; channels: 3 | 4; width?: number; height?: number };

const write = (
  { data, channels, width = widthPx, height = heightPx }: Strip,
  { frames, dither }: { frames: number; dither: number },
): Promise<Buffer> =>
  sharp(data, { raw: { width, height: height * frames, channels, pageHeight: height } })
    .gif({ delay: Array<number>(frames).fill(60), dither, effort: 7, loop: 0 })
    .toBuffer();

async function pan(path: string): Promise<Buffer> {
  const frames = 24;
  const views = Array.from({ length: frames }, (_, frame) =>
    sharp(path)
      .extract({ left: frame * 8, top: frame * 4, width: widthPx, height: heightPx })
      .removeAlpha()
      .raw()
      .toBuffer(),
  );
  return write({ data: Buffer.concat(await Promise.all(views)), channels: 3 }, { frames, dither: 1 });
}

async function still(path: string): Promise<Buffer> {
  return sharp(path).gif({ effort: 10 }).toBuffer();
}

/** A ball over a soft, grainy background, as from a camera; `grain` is added to the background. */
export function drawCamera(frames: number, grain: () => number): Strip {
  const data = Buffer.alloc(widthPx * heightPx * frames * 3);
  for (let frame = 0; frame < frames; frame++) {
    const share = frame / frames;
    const [ballX, ballY] = [60 + share * 360, 250 - 170 * Math.abs(Math.sin(share * Math.PI * 2))];
    for (let y = 0; y < heightPx; y++)
      for (let x = 0; x < widthPx; x++) {
        const near = Math.hypot(x - ballX, y - ballY) / 34;
        const shade = 1 - 0.5 * Math.hypot((x - ballX) / 34 + 0.35, (y - ballY) / 34 + 0.35);
        const ground = 205 - 60 * (y / heightPx) + 12 * Math.sin(x / 90) + grain();
        const colour = near < 1 ? [225 * shade, 80 * shade, 55 * shade] : [ground, ground * 0.96, ground * 0.9];
        data.set(colour.map(toByte), ((frame * heightPx + y) * widthPx + x) * 3);
      }
  }
  return { data, channels: 3 };
}

/** Text being typed into a window, and a moving pointer. */
async function screen(): Promise<Buffer> {
  const text = "The quick brown fox jumps over the lazy dog; sphinx of black quartz, judge my vow 0123456789 ".repeat(
    4,
  );
  const frames = 40;
  const views = Array.from({ length: frames }, (_, frame) => {
    const typed = text.slice(0, frame * 9);
    const lines = Array.from(
      { length: 14 },
      (_, line) =>
        `<text x="24" y="${76 + line * 17}" font-size="13" font-family="DejaVu Sans" fill="#223">${typed.slice(line * 58, line * 58 + 58)}</text>`,
    );
    const [x, y] = [60 + frame * 8, 260 - frame * 4];
    return drawing(
      `<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#5b8"/><stop offset="1" stop-color="#257"/></linearGradient></defs><rect width="480" height="320" fill="url(#g)"/><rect x="12" y="20" width="456" height="290" rx="8" fill="#fcfcfa"/><rect x="12" y="20" width="456" height="26" rx="8" fill="#dde"/><circle cx="28" cy="33" r="6" fill="#e55"/><circle cx="46" cy="33" r="6" fill="#eb4"/>${lines.join("")}<path d="M${x} ${y}v18l5-5h7z" stroke="#fff"/>`,
    );
  });
  return write({ data: Buffer.concat(await Promise.all(views)), channels: 4 }, { frames, dither: 0 });
}

/** A shaded, rotating figure on transparency. */
async function sprite(): Promise<Buffer> {
  const frames = 24;
  const views = Array.from({ length: frames }, (_, frame) =>
    drawing(
      `<defs><radialGradient id="g" cx="0.35" cy="0.3"><stop stop-color="#ffd"/><stop offset="0.5" stop-color="#e84"/><stop offset="1" stop-color="#612"/></radialGradient></defs><g transform="translate(240 160) rotate(${frame * 15})"><rect x="-110" y="-70" width="220" height="140" rx="40" fill="url(#g)"/><circle cx="60" cy="-60" r="44" fill="url(#g)"/></g>`,
    ),
  );
  return write({ data: Buffer.concat(await Promise.all(views)), channels: 4 }, { frames, dither: 1 });
}

const drawing = (body: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}">${body}</svg>`,
    ),
  )
    .ensureAlpha()
    .raw()
    .toBuffer();

/** The same noise every time. */
function createNoise(amplitude: number): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647 - 0.5) * amplitude;
  };
}

const toByte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
