// Checks the claims on removing backgrounds: npm run bench:cutout [folder of data packs [speed] [pairs] [busts] [ratio] [small] [things]].
// Ours beside the bare model on the pairs of cutout/, on their heads and shoulders alone, on small subjects in large
// pictures; the best of a picture's candidates, and what they cost; what the person prior changes on pictures without people; and what 1, 4 and 12 megapixels cost on two cores.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { taskOptions } from "../packages/contract/src/schemas/index.ts";
import { maxCandidates } from "../packages/imaging/src/cutout/candidates.ts";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { createModels } from "../packages/imaging/src/model/session.ts";
import type { Task } from "../packages/imaging/src/task.ts";
import { mean } from "./averages.ts";
import { bustOf } from "./cutout/busts.ts";
import { type CutPicture, cutPicture, priorChanges } from "./cutout/cut-picture.ts";
import { placeSmall } from "./cutout/place.ts";
import { meanScore, rankCorrelation, type Score, scoreMatte } from "./cutout/score.ts";
import type { Speed } from "./cutout/speed.ts";
import { thingsOf } from "./cutout/things.ts";
import { dataPacks } from "./packs.ts";
import { runOperation } from "./run-operation.ts";
import { runScript } from "./run-script.ts";
import { timed } from "./timed.ts";

const packs = await dataPacks(argv[2]);
const directory = env["TINTYPE_MODELS"] ?? fileURLToPath(new URL("../.tintype/models", import.meta.url));
const names = ["auto_rembg", "portrait_pro", "product_pro"] as const;
const best = "auto_rembg, best of up to three";
const folder = await mkdtemp(join(tmpdir(), "bench-cutout-"));
sharp.concurrency(1);
sharp.cache(false);

const parts = argv.length > 3 ? argv.slice(3) : ["speed", "pairs", "busts", "ratio", "small", "things"];
if (parts.includes("speed")) await speeds();
const models = createModels({ directory, threads: 2 });
if (parts.includes("pairs")) await pairs();
if (parts.includes("busts")) await busts();
if (parts.includes("ratio")) await candidateTimes();
if (parts.includes("small")) await smallSubjects();
if (parts.includes("things")) await things();
await models.close();
await rm(folder, { recursive: true });

async function readPairs(): Promise<{ name: string; image: string; mask: string }[]> {
  const rows = (await readFile(join(packs, "cutout/pairs.tsv"), "utf8")).trim().split("\n").slice(1);
  const place = (path: string) => join(packs, "cutout", path);
  return rows
    .map((row) => row.split("\t"))
    .map(([name = "", image = "", mask = ""]) => ({ name, image: place(image), mask: place(mask) }));
}

function addScore(scores: Map<string, Score[]>, label: string, score: Score): void {
  scores.set(label, [...(scores.get(label) ?? []), score]);
}

async function pairs(): Promise<void> {
  const rows = await readPairs();
  const scores = new Map<string, Score[]>();
  const confidences: number[] = [];
  for (const { name, image, mask } of rows) {
    const { data, info } = await sharp(mask).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
    const truth = Float32Array.from(data, (value) => (value > 127 ? 1 : 0));
    const size = { width: info.width, height: info.height };
    const cut = await cutPicture(image, { models, names });
    const { bare, ours, confidence } = cut;
    for (const [label, alpha] of [["bare model", bare] as const, ...ours])
      addScore(scores, label, scoreMatte({ size, truth, alpha }));
    addBest(scores, { cut, size, truth });
    confidences.push(confidence);
    const iou = (label: string) => scores.get(label)?.at(-1)?.iou.toFixed(4);
    console.error(
      `${name}: bare ${iou("bare model")}, auto ${iou("auto_rembg")}, best of ${cut.others.length + 1}: ${iou(best)}, ` +
        `confidence ${confidence.toFixed(2)}${cut.isIncomplete ? ", said to be incomplete" : ""}`,
    );
  }
  printScores(`${rows.length} pairs`, scores);
  printFailures(scores);
  const overlaps = (scores.get("auto_rembg") ?? []).map((score) => score.iou);
  console.log(
    `Confidence: ${mean(confidences).toFixed(3)} on average for an IoU of ${mean(overlaps).toFixed(3)}; ` +
      `their rank correlation is ${rankCorrelation(confidences, overlaps).toFixed(2)}.\n`,
  );
}

/** The second row leaves out the networks for people. */
async function busts(): Promise<void> {
  const rows = await readPairs();
  const scores = new Map<string, Score[]>();
  const alone = { ...models, useIfThere: async () => undefined };
  for (const [index, row] of rows.entries()) {
    const bust = await bustOf({ ...row, index });
    const file = join(folder, "bust.jpg");
    await writeFile(file, bust.picture);
    const before = (await cutPicture(file, { models: alone, names: ["auto_rembg"] })).ours.get("auto_rembg");
    const cut = await cutPicture(file, { models, names: ["auto_rembg"] });
    const { bare, ours } = cut;
    const mattes = { "bare model": bare, "without networks for people": before, auto_rembg: ours.get("auto_rembg") };
    for (const [label, alpha] of Object.entries(mattes))
      if (alpha) addScore(scores, label, scoreMatte({ ...bust, alpha }));
    addBest(scores, { cut, ...bust });
    const ious = [...scores].map(([label, all]) => `${label} ${all.at(-1)?.iou.toFixed(4)}`);
    console.error(`${row.name}: ${ious.join(", ")}${cut.isIncomplete ? ", said to be incomplete" : ""}`);
  }
  printScores(`${rows.length} busts`, scores);
  printFailures(scores);
  console.log();
}

type Cut = { cut: CutPicture; truth: Float32Array; size: { width: number; height: number } };

/** The candidate that a person would choose: the one with the largest overlap. */
function addBest(scores: Map<string, Score[]>, { cut, truth, size }: Cut): void {
  const shown = cut.ours.get("auto_rembg");
  const all = [...(shown ? [shown] : []), ...cut.others].map((alpha) => scoreMatte({ size, truth, alpha }));
  const [first, ...rest] = all;
  if (!first) return;
  const chosen = rest.reduce((one, other) => (other.iou > one.iou ? other : one), first);
  addScore(scores, best, chosen);
}

/** The whole operation on each pair, without and with candidates, alternating. */
async function candidateTimes(): Promise<void> {
  const rows = await readPairs();
  const imaging = createImaging({ models: { directory, threads: 2 } });
  const candidatePaths = { mattes: join(folder, "mattes"), sheet: join(folder, "sheet") };
  const sums = { without: 0, with: 0 };
  const counts: number[] = [];
  const run = async (image: string, more: Pick<Task, "candidatePaths">) => {
    const paths = { inputPath: image, outputPath: join(folder, "out") };
    const options = taskOptions["remove-background"].parse({});
    const task = { name: "remove-background", options, ...paths, ...more } as const;
    const { answer: outcome, cpu } = await timed(() => runOperation(imaging, task));
    return { cpu, count: outcome.kind === "done" ? (outcome.candidates?.length ?? 1) : 1 };
  };
  await run(rows[0]?.image ?? "", {}); // loads the models
  for (const { image } of rows) {
    sums.without += (await run(image, {})).cpu;
    const { cpu, count } = await run(image, { candidatePaths });
    sums.with += cpu;
    counts.push(count);
  }
  const several = counts.filter((count) => count > 1).length;
  console.log(
    `Candidates: ${several} of ${rows.length} pairs have more than one, ${counts.filter((count) => count === maxCandidates).length} have ${maxCandidates}. ` +
      `A first look takes ${(sums.with / sums.without).toFixed(3)} times as long (processor, mean of all: ` +
      `${(sums.without / rows.length).toFixed(2)} s without candidates, ${(sums.with / rows.length).toFixed(2)} s with them).\n`,
  );
}

async function smallSubjects(): Promise<void> {
  const scores = new Map<string, Score[]>();
  const passes: string[] = [];
  for (const [i, name] of ["71", "76", "87", "98", "258"].entries()) {
    const placed = await placeSmall(packs, { name, at: { left: 400 + 450 * i, top: 1900 - 300 * (i % 3) } });
    const file = join(folder, "placed.jpg");
    await writeFile(file, placed.picture);
    const cut = await cutPicture(file, { models, names: ["auto_rembg"] });
    passes.push(cut.passes.join(" and "));
    for (const [label, alpha] of [["bare model", cut.bare] as const, ...cut.ours])
      addScore(scores, label, scoreMatte({ ...placed, alpha }));
  }
  printScores(`Small subjects in 12 MP (passes: ${passes.join(", ")})`, scores);
}

async function things(): Promise<void> {
  console.log(
    "| picture without people | cells that the prior adds, % | cells that it or a darker look changes, % |\n|---|---|---|",
  );
  for (const { name, path } of await thingsOf(packs)) {
    const { added, changed } = await priorChanges(path, models);
    console.log(`| ${name} | ${(100 * added).toFixed(2)} | ${(100 * changed).toFixed(2)} |`);
  }
  console.log();
}

function printFailures(scores: ReadonlyMap<string, readonly Score[]>): void {
  const below = (all: readonly Score[], bound: number) => all.filter(({ iou }) => iou < bound).length;
  for (const [label, all] of scores)
    console.log(`Below 0.87, ${label}: ${below(all, 0.87)}; below 0.8: ${below(all, 0.8)} of ${all.length}`);
}

function printScores(title: string, scores: ReadonlyMap<string, readonly Score[]>): void {
  console.log(`| ${title} | IoU | IoU beyond 2 px of the outline | mean absolute error | error within 5 px of it |`);
  console.log("|---|---|---|---|---|");
  for (const [label, rows] of scores) {
    const { iou, iouBeyond, mae, boundary } = meanScore(rows);
    console.log(
      `| ${label} | ${iou.toFixed(4)} | ${iouBeyond.toFixed(4)} | ${mae.toFixed(4)} | ${boundary.toFixed(4)} |`,
    );
  }
  console.log();
}

async function speeds(): Promise<void> {
  console.log(
    "| megapixels | s | s of processor | s with loading | MB at most | s of processor by stage |\n|---|---|---|---|---|---|",
  );
  for (const megapixels of [1, 4, 12]) {
    const file = join(folder, "speed.jpg");
    const width = Math.round(Math.sqrt(megapixels * 1e6 * 0.8));
    await sharp(join(packs, "photos/clic_11f2_portrait.png"))
      .resize({ width, height: Math.round((megapixels * 1e6) / width), fit: "fill" })
      .jpeg({ quality: 90 })
      .toFile(file);
    const { wall, cpu, first, peakMb, stages } = runScript("./cutout/speed.ts", [file, directory]) as Speed;
    const parts = Object.entries(stages).map(([stage, seconds]) => `${stage} ${seconds.toFixed(2)}`);
    console.log(
      `| ${megapixels} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${first.toFixed(1)} | ${peakMb.toFixed(0)} | ${parts.join(", ")} |`,
    );
  }
  console.log();
}
