// Bytes at the same likeness: Tintype against sharp, ImageMagick, pngquant, jpegoptim, cwebp and gifsicle. npm run
// bench:bytes [folder of photographs] [megapixels of each] ; tables and plot go to docs/.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { geometricMean } from "./averages.ts";
import { measureAnimations } from "./bytes/animations.ts";
import { lossless, type Sweep, sweeps } from "./bytes/candidates.ts";
import { asPercent, bitsAtScore, compareAtScores, type Subject } from "./bytes/compare.ts";
import { measure, type Point } from "./bytes/measure.ts";
import { type BenchPicture, loadPictures } from "./bytes/pictures.ts";
import { plotPanels } from "./bytes/plot.ts";
import { dataPacks, figuresPath } from "./packs.ts";

const scores = [50, 60, 70, 80, 90];
const plottedScores = Array.from({ length: 24 }, (_, i) => 47 + 2 * i);

sharp.concurrency(1);
sharp.cache(false);
const folder = argv[2] ?? join(await dataPacks(undefined), "photos");
const megapixels = Number(argv[3] ?? 1);
const pictures = await loadPictures(folder, megapixels);

async function measureSubject(picture: BenchPicture, programs: readonly Sweep[]): Promise<Subject> {
  const points = new Map<string, Point[]>();
  for (const { label, candidate, settings } of programs) {
    const found: Point[] = [];
    for (const setting of settings) found.push(await measure(picture, candidate, setting));
    points.set(label, found);
  }
  return { name: picture.name, pixels: picture.raw.width * picture.raw.height, points };
}

async function measureAll(kind: BenchPicture["kind"], programs: readonly Sweep[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const picture of pictures.filter((one) => one.kind === kind)) {
    console.error(`${picture.name}: ${programs.map(({ candidate }) => candidate.name).join(", ")}`);
    subjects.push(await measureSubject(picture, programs));
  }
  return subjects;
}

const kinds = { photo: "photographs", screen: "interfaces" } as const;
const parts: string[] = [];
const add = (title: string, rows: Record<string, string>[]) => {
  const heads = Object.keys(rows[0] ?? {});
  const lines = [heads, heads.map((_, i) => (i === 0 ? "---" : "--:")), ...rows.map((row) => Object.values(row))];
  parts.push(`### ${title}\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`);
};

const panels = [];
for (const [format, programs] of Object.entries(sweeps))
  for (const kind of ["photo", "screen"] as const) {
    const subjects = await measureAll(kind, programs);
    if (subjects.length === 0) continue;
    add(`${format}, ${subjects.length} ${kinds[kind]}`, compareAtScores(subjects, scores));
    if (kind === "photo") panels.push({ title: format, lines: programs.map(({ label }) => lineOf(subjects, label)) });
  }

function lineOf(subjects: readonly Subject[], label: string) {
  const points = plottedScores.flatMap((score) => {
    const bits = bitsAtScore(subjects, label, score);
    return bits === undefined ? [] : [[bits, score] as const];
  });
  return { label, points };
}

const wholes = [];
for (const [format, programs] of Object.entries(lossless))
  for (const kind of ["photo", "screen"] as const) {
    const subjects = await measureAll(kind, programs);
    const bits = (label: string) =>
      geometricMean(subjects.map(({ points, pixels }) => ((points.get(label)?.[0]?.bytes ?? 0) * 8) / pixels));
    const [first = "", ...others] = programs.map(({ label }) => label);
    wholes.push({
      "without loss": `${format}, ${kinds[kind]}`,
      Tintype: `${bits(first).toFixed(2)} bits a pixel`,
      others: others.map((label) => `${label} ${asPercent(bits(label) / bits(first))}`).join(", "),
    });
  }
add("Without loss", wholes);

const animations = await measureAnimations(join(folder, ".."), ["world in time zones", "pan over a photo"]);
for (const animation of animations) add(`GIF, ${animation.name}`, compareAtScores([animation], scores));

const page = figuresPath("docs/bytes.md", folder);
const [before = "", after = ""] = (await readFile(new URL("../docs/bytes.md", import.meta.url), "utf8")).split(
  /(?<=<!-- measured -->\n)[\s\S]*(?=<!-- end -->)/,
);
await writeFile(page, `${before}\n${parts.join("\n\n")}\n\n${after}`);
await writeFile(figuresPath("docs/bytes.svg", folder), plotPanels(panels));
