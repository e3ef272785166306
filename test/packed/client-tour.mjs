// Runs in a folder with nothing but the installed package, on each release of Node.js.
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Tintype, TintypeError } from "@tintype/client";

const [, , baseUrl, key] = process.argv;
const t = new Tintype({ key, baseUrl });
const stages = new Set();
const single = await t.compress("photo.png", { quality: 60 }, { onProgress: ({ stage }) => stages.add(stage) });
const batch = await t.convert([createReadStream("photo.png"), { name: "b.png", data: await readFile("photo.png") }], {
  targetFormat: "webp",
});
const { id } = await t.jobs.start({ operation: "resize", options: { width: 20 } }, "photo.png");
let progress = 0;
for await (const event of t.jobs.events(id)) progress = event.progress;
const resized = await t.jobs.download(id);
const refused = await t.compress("photo.png", { quality: 101 }).catch((problem) => problem);
const aborted = await t
  .compress("photo.png", { quality: 60 }, { signal: AbortSignal.abort(new Error("stop")) })
  .catch((problem) => problem);
console.log(
  JSON.stringify({
    single: single.name,
    stages: [...stages],
    batch: batch.files.map(({ name }) => name),
    progress,
    resized: resized.report.files[0].width,
    refused: [refused instanceof TintypeError, refused.code, refused.field],
    aborted: aborted.message,
    used: (await t.usage()).serviceCount,
  }),
);
