// A process that runs only sharp: raw.ts FOLDER CASE ours|thorough|linear|peer SECONDS CONNECTIONS -> operations per second.
import { join } from "node:path";
import { cases } from "./cases.ts";

const [folder = "", index = "", settings = "", seconds = "", connections = ""] = process.argv.slice(2);
const chosen = cases[Number(index)];
if (!chosen) throw new Error(`no case ${index}`);
const path = join(folder, chosen.file);
const work = { ours: chosen.raw, thorough: chosen.rawThorough, linear: chosen.rawLinear, peer: chosen.peer.raw }[
  settings
];
if (!work) throw new Error(`no settings ${settings}`);

await work(path).toBuffer();
let done = 0;
const begin = performance.now();
const end = begin + Number(seconds) * 1000;
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < end) {
      await work(path).toBuffer();
      done++;
    }
  }),
);
process.stdout.write(`${done / ((performance.now() - begin) / 1000)}\n`);
