import sharp from "sharp";
import { shrinkGif } from "../../packages/codecs/src/gif/encode/shrink.ts";
import { timed, timeProgram } from "../timed.ts";

export type Packed = { bytes: Uint8Array; cpuSeconds: number };
export type Packer = { name: string; pack(bytes: Uint8Array): Promise<Packed> };

async function runGifsicle(bytes: Uint8Array, options: string): Promise<Packed> {
  const command = `gifsicle --no-warnings ${options} "$0" -o "$0.out"`;
  const { bytes: packed, cpu } = await timeProgram(command, { bytes, suffix: ".out" });
  return { bytes: packed, cpuSeconds: cpu };
}

async function measureHere(pack: () => Promise<Uint8Array>): Promise<Packed> {
  const { answer: bytes, cpu } = await timed(pack);
  return { bytes, cpuSeconds: cpu };
}

const ours = (quality: number): Packer => ({
  name: `ours, ${quality}`,
  pack: (bytes) => measureHere(() => shrinkGif(bytes, { quality })),
});

/** The first is the baseline. */
export const packers: Packer[] = [
  { name: "gifsicle --lossy=80 -O3", pack: (bytes) => runGifsicle(bytes, "--lossy=80 -O3") },
  ours(75),
  ours(50),
  ours(90),
  { name: "gifsicle -O3", pack: (bytes) => runGifsicle(bytes, "-O3") },
  ours(100),
  {
    name: "sharp, as it comes",
    pack: (bytes) => measureHere(() => sharp(bytes, { animated: true }).gif().toBuffer()),
  },
];
