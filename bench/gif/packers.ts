import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { shrinkGif } from "../../packages/imaging/src/formats/gif/shrink.ts";
import { timed } from "../timed.ts";

export type Packed = { bytes: Uint8Array; cpuSeconds: number };
export type Packer = { name: string; pack(bytes: Uint8Array): Promise<Packed> };

const run = promisify(execFile);

/** Under bash, which reports the program's own CPU time. */
async function runGifsicle(bytes: Uint8Array, options: string): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), "bench-gif-"));
  try {
    const [input, output] = [join(folder, "in.gif"), join(folder, "out.gif")];
    await writeFile(input, bytes);
    const script = `TIMEFORMAT='%U %S'; time gifsicle --no-warnings ${options} "$0" -o "$1"`;
    const { stderr } = await run("bash", ["-c", script, input, output]);
    const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
    return { bytes: await readFile(output), cpuSeconds: user + system };
  } finally {
    await rm(folder, { recursive: true });
  }
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
