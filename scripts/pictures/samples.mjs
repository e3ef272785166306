// node scripts/pictures/samples.mjs [http://localhost:3000]: has a running Tintype process each sample with the
// studio's one-click choices, and writes the results that the studio shows instead of processing
// (samples/prepared.ts).
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import sharp from "sharp";

const server = process.argv[2] ?? "http://localhost:3000";
const web = join(import.meta.dirname, "../../packages/web/app");
const samples = join(web, "pictures/samples");
const folder = join(samples, "prepared");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** The fields that differ from their defaults, in the order of the form: together they are the key (cache/work-key.ts). */
const wanted = [
  ...["50", "70", "75", "90"].map((quality) => ["still-life.jpg", "compress", { quality }]),
  ["brush.jpg", "remove-background", { background: "transparent" }],
  ["glasses-small.jpg", "upscale", { scale_factor: "2" }],
  ["glasses-small.jpg", "upscale", {}],
  ...["webp", "jpeg", "avif"].map((target_format) => ["letter.png", "convert", { target_format }]),
];

const results = [];
for (const [sourceName, tool, fields] of wanted) {
  const source = readFileSync(join(samples, sourceName));
  const form = new FormData();
  form.append("files", new Blob([source]), sourceName);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const answer = await fetch(`${server}/api/${tool}`, { method: "POST", body: form });
  if (!answer.ok) throw new Error(`${tool} answered ${answer.status}: ${await answer.text()}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition"))[1]);
  const report = JSON.parse(answer.headers.get("x-report"));
  const { width: widthPx, height: heightPx, format, compression } = await sharp(bytes).metadata();
  const file = `${results.length}${extname(name)}`;
  writeFileSync(join(folder, file), bytes);
  results.push({
    key: [tool, fields, createHash("sha256").update(source).digest("hex")],
    tool,
    sourceName,
    name,
    file,
    widthPx,
    heightPx,
    sizeBytes: bytes.length,
    format: compression === "av1" ? "avif" : format,
    notes: report.notes,
    confidence: report.confidence ?? null,
  });
}
writeFileSync(join(web, "features/studio/samples/prepared.json"), `${JSON.stringify({ results }, undefined, 2)}\n`);
console.log(results.map(({ sourceName, file, sizeBytes }) => `${sourceName} ${file} ${sizeBytes}`).join("\n"));
