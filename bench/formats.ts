// Runs every file of the data packs' formats through the engine and prints the outcome; compares the BMPs with their
// references, pixel by pixel. node bench/formats.ts [folder of the data packs]
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { argv, exit } from "node:process";
import sharp, { type Sharp } from "sharp";
import { decodeBmp } from "../packages/codecs/src/bmp/decode.ts";
import { sniffBytes, sniffFormat } from "../packages/codecs/src/headers/sniff.ts";
import { DomainError, type TaskName } from "../packages/contract/src/index.ts";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { dataPacks } from "./packs.ts";

const packs = await dataPacks(argv[2]);
const folder = join(packs, "formats");
const limits = { megapixelsIn: 200, megapixelsOut: 200 }; // the plan "pro"
const imaging = createImaging();
const outputs = await mkdtemp(join(tmpdir(), "formats-"));
const outputPath = join(outputs, "result");

async function run(name: TaskName, { inputPath, options }: { inputPath: string; options: unknown }): Promise<string> {
  const start = performance.now();
  const spent = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    const context = { signal: AbortSignal.timeout(180_000), progress: () => {} };
    const outcome = await imaging.run({ name, options, inputPath, outputPath, limits }, context);
    if (outcome.kind === "unchanged") return `unchanged: ${outcome.reason}`;
    const { format, width, height, sizeBytes } = outcome.result;
    const written = await readFile(outputPath);
    const isTrue = sniffFormat(written.subarray(0, sniffBytes)) === format && written.length === sizeBytes;
    const notes = outcome.notes.length > 0 ? ` (${outcome.notes.join(" ")})` : "";
    return `${isTrue ? "" : "WRONG: "}${format} ${width}x${height} ${sizeBytes} bytes, ${spent()}${notes}`;
  } catch (problem) {
    if (problem instanceof DomainError) return `${problem.code}: ${problem.detail}`;
    return `FAILED: ${problem instanceof Error ? problem.message : problem}`;
  }
}

const isPicture = (path: string) => !/[.]tsv$|bmp\/reference\//.test(path);
const entries = await readdir(folder, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter(isPicture)
  .sort();
let wrong = 0;
for (const inputPath of files) {
  const head = (await readFile(inputPath)).subarray(0, sniffBytes);
  console.log(
    `\n${relative(folder, inputPath)}  ${sniffFormat(head) ?? "no picture"} ${(await stat(inputPath)).size} bytes`,
  );
  const target_format = sniffFormat(head) === "gif" ? "webp" : sniffFormat(head) === "png" ? "jpeg" : "png";
  for (const [name, options] of [
    ["convert", { target_format }],
    ["upload", {}],
    ["preview", { side: 256 }],
    ["compress", { quality: 75 }],
    ["resize", { width: 100, method: "fit" }],
  ] as const) {
    const said = await run(name, { inputPath, options });
    if (/^(WRONG|FAILED)/.test(said)) wrong++;
    console.log(`  ${name.padEnd(9)}${said}`);
  }
}
await rm(outputs, { recursive: true });

/** Whether a BMP's pixels equal those of a reference picture exactly. */
async function isExact(path: string, reference: string): Promise<boolean> {
  const { data, channels, ...extent } = decodeBmp(await readFile(join(folder, "bmp", path)));
  const rgba = (image: Sharp) => image.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = await rgba(sharp(data, { raw: { ...extent, channels } }));
  const wanted = await rgba(sharp(join(folder, "bmp", reference)));
  return (
    found.info.width === wanted.info.width && found.info.height === wanted.info.height && found.data.equals(wanted.data)
  );
}

const table = (await readFile(join(folder, "bmp", "references.tsv"), "utf8")).trim().split("\n").slice(1);
let exact = 0;
for (const [path = "", references = ""] of table.map((line) => line.split("\t"))) {
  const matches = await Promise.all(references.split(",").map((reference) => isExact(path, reference)));
  if (matches.includes(true)) exact++;
  else console.log(`${path} differs from ${references}`);
}
console.log(`\nBMP: ${exact} of ${table.length} exactly as their references. Wrong or failed elsewhere: ${wrong}.`);
exit(exact === table.length && wrong === 0 ? 0 : 1);
