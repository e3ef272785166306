import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Programs as packaged by Debian: apt install imagemagick pngquant jpegoptim webp gifsicle */
export const programs = {
  /** Not `convert` from PATH: other packages use that name too. */
  imageMagick: "/usr/bin/convert",
  pngquant: "pngquant",
  jpegoptim: "jpegoptim",
  cwebp: "cwebp",
  gifsicle: "gifsicle",
} as const;

type Files = { input: string; output: string };

type Run = { bytes: Uint8Array; from: string; to: string; options: (files: Files) => string[]; isInPlace?: boolean };

/** The file that a program writes. File names, not pipes: some programs infer formats from the extension. */
export async function runProgram(
  program: keyof typeof programs,
  { bytes, from, to, options, isInPlace = false }: Run,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "bench-bytes-"));
  try {
    const files = { input: join(folder, `in.${from}`), output: join(folder, `out.${to}`) };
    await writeFile(files.input, bytes);
    await run(programs[program], options(files));
    return await readFile(isInPlace ? files.input : files.output);
  } finally {
    await rm(folder, { recursive: true });
  }
}
