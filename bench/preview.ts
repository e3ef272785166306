// The claims about previews of a part: npm run bench:preview [folder of photographs]. Each photograph is looked at as a
// part of 512 px at some qualities: the engine's time by the clock, and how far the estimated bytes are from those of the whole
// result, which the same operation writes. FORMATS=avif,png looks at those too, ONLY=<text> at photographs of such names.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env } from "node:process";
import { taskOptions } from "../packages/contract/src/schemas/index.ts";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import type { Task } from "../packages/imaging/src/task.ts";
import { median } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { runOperation } from "./run-operation.ts";
import { timed } from "./timed.ts";

const photos = argv[2] ?? join(await dataPacks(undefined), "photos");
const imaging = createImaging();
const folder = await mkdtemp(join(tmpdir(), "preview-"));

async function run(task: Omit<Task, "outputPath" | "limits">) {
  const outputPath = join(folder, "out");
  const { answer: outcome, wall } = await timed(() => runOperation(imaging, { ...task, outputPath }));
  return { outcome, ms: wall * 1000, bytes: (await stat(outputPath)).size };
}

type Row = { errors: number[]; times: number[] };
const rows = new Map<string, Row>();
const wishes = [
  ...[50, 75, 90].map((quality) => ({ format: "jpeg", quality })),
  ...[50, 75, 90].map((quality) => ({ format: "webp", quality })),
  ...(env["FORMATS"]?.includes("avif") ? [{ format: "avif", quality: 60 }] : []),
  ...(env["FORMATS"]?.includes("png") ? [75, 100].map((quality) => ({ format: "png", quality })) : []),
];
for (const name of (await readdir(photos)).filter((one) => env["ONLY"] === undefined || one.includes(env["ONLY"])))
  for (const { format, quality } of wishes) {
    const inputPath = join(photos, name);
    const isSame = name.endsWith(format === "jpeg" ? ".jpg" : `.${format}`);
    const operation = isSame ? "compress" : "convert";
    const asked = isSame ? { quality } : { target_format: format, quality };
    const request = { operation, options: taskOptions[operation].parse(asked) };
    const look = await run({
      name: "preview",
      inputPath,
      options: { ...taskOptions.preview.parse({}), request },
    });
    const whole = await run({ name: operation, inputPath, options: request.options });
    const estimate = look.outcome.kind === "done" ? (look.outcome.result.estimate?.sizeBytes ?? 0) : 0;
    const row = rows.get(`${format} ${quality}`) ?? { errors: [], times: [] };
    row.errors.push(100 * (estimate / whole.bytes - 1));
    row.times.push(look.ms);
    rows.set(`${format} ${quality}`, row);
    console.error(name, format, quality, `${row.errors.at(-1)?.toFixed(1)} %`, `${look.ms.toFixed(0)} ms`);
  }
await rm(folder, { recursive: true });

console.log("| result | error, median | error, largest | time, median | time, largest |\n|---|--:|--:|--:|--:|");
for (const [result, { errors, times }] of rows) {
  const sizes = errors.map(Math.abs);
  console.log(
    `| ${result} | ${median(sizes).toFixed(1)} % | ${Math.max(...sizes).toFixed(1)} % | ${median(times).toFixed(0)} ms | ${Math.max(...times).toFixed(0)} ms |`,
  );
}
