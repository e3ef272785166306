// node scripts/pictures/examples.mjs [http://localhost:3000]: runs the samples through a running Tintype, and writes
// the home page's before and after pictures from the results.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const server = process.argv[2] ?? "http://localhost:3000";
const web = join(import.meta.dirname, "../../packages/web/app");
const examples = join(web, "pictures/examples");
mkdirSync(examples, { recursive: true });

const size = { width: 840, height: 560 };
const quality = 70;
const factor = 4;

const still = sample("still-life.jpg");
const stillAfter = await work("compress", "still-life.jpg", { quality });
const detail = { left: 60, top: 130, ...size };
await save("compress-before", sharp(still).extract(detail));
await save("compress-after", sharp(stillAfter).extract(detail));

const small = sample("glasses-small.jpg");
const smallFacts = await sharp(small).metadata();
const large = await work("upscale", "glasses-small.jpg", { scale_factor: factor });
const part = {
  left: Math.round((smallFacts.width - size.width / factor) * 0.35),
  top: Math.round((smallFacts.height - size.height / factor) * 0.7),
};
await save(
  "upscale-before",
  sharp(small).extract({ ...part, width: size.width / factor, height: size.height / factor }),
);
await save("upscale-after", sharp(large).extract({ left: part.left * factor, top: part.top * factor, ...size }));

await save("cutout-before", sharp(sample("brush.jpg")).resize(size));
await save("cutout-after", sharp(await work("remove-background", "brush.jpg", { profile: "auto_rembg" })).resize(size));

const facts = {
  ...size,
  compress: { quality, beforeBytes: still.length, afterBytes: stillAfter.length },
  upscale: { factor, widthPx: smallFacts.width, heightPx: smallFacts.height },
};
writeFileSync(join(web, "features/home/examples.json"), `${JSON.stringify(facts, undefined, 2)}\n`);
console.log(facts);

function sample(name) {
  return readFileSync(join(web, "pictures/samples", name));
}

async function work(operation, name, options) {
  const form = new FormData();
  form.append("files", new Blob([sample(name)]), name);
  for (const [key, value] of Object.entries(options)) form.append(key, String(value));
  const answer = await fetch(`${server}/api/${operation}`, { method: "POST", body: form });
  if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** High quality, so that visible differences come from the example and not from this file. */
function save(name, image) {
  return image.webp({ quality: 92, effort: 6, smartSubsample: true }).toFile(join(examples, `${name}.webp`));
}
