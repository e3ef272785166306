import { readGif } from "../../packages/codecs/src/gif/document.ts";
import { shrinkGif } from "../../packages/codecs/src/gif/encode/shrink.ts";
import { animations } from "../gif/animations.ts";
import { judgeAgainst } from "../gif/likeness.ts";
import type { Subject } from "./compare.ts";
import { runProgram } from "./programs.ts";

type Packer = {
  label: string;
  settings: readonly number[];
  pack(bytes: Uint8Array, setting: number): Promise<Uint8Array>;
};

const packers: Packer[] = [
  { label: "Tintype", settings: [40, 60, 75, 85, 93], pack: (bytes, quality) => shrinkGif(bytes, { quality }) },
  {
    label: "gifsicle -O3 --lossy",
    settings: [10, 25, 50, 80, 120, 200],
    pack: (bytes, loss) =>
      runProgram("gifsicle", {
        bytes,
        from: "gif",
        to: "gif",
        options: ({ input, output }) => ["--no-warnings", "-O3", `--lossy=${loss}`, input, "-o", output],
      }),
  },
];

/** Existing GIF animations, at several settings each. */
export async function measureAnimations(packs: string, names: readonly string[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for await (const { name, bytes } of animations(packs)) {
    if (!names.includes(name)) continue;
    const judge = judgeAgainst(bytes);
    const { width, height, frames } = readGif(bytes);
    const subject: Subject = { name, pixels: width * height * frames.length, points: new Map() };
    for (const { label, settings, pack } of packers) {
      const points = [];
      for (const parameter of settings) {
        const packed = await pack(bytes, parameter);
        points.push({ parameter, bytes: packed.length, score: judge(packed).mean, milliseconds: 0 });
      }
      subject.points.set(label, points);
    }
    subjects.push(subject);
  }
  return subjects;
}
