// Animated GIFs smaller: bytes, likeness and time beside gifsicle (from Debian) and sharp.
// npm run bench:gif [folder of the data packs]
import { argv, env } from "node:process";
import sharp from "sharp";
import { animations } from "./gif/animations.ts";
import { judgeAgainst } from "./gif/likeness.ts";
import { packers } from "./gif/packers.ts";
import { printTable } from "./resize/score.ts";

sharp.concurrency(1);
sharp.cache(false);
const packs = argv[2] ?? env["TINTYPE_DATA_PACKS"] ?? "../shared/data";

for await (const { name, bytes } of animations(packs)) {
  const judge = judgeAgainst(bytes);
  const rows = [];
  let peerSeconds: number | undefined;
  for (const packer of packers) {
    const packed = await packer.pack(bytes);
    peerSeconds ??= packed.cpuSeconds;
    const { mean, least } = judge(packed.bytes);
    rows.push({
      with: packer.name,
      bytes: packed.bytes.length.toLocaleString("en"),
      "of the original": `${((packed.bytes.length / bytes.length) * 100).toFixed(0)} %`,
      likeness: mean.toFixed(1),
      "least alike": least.toFixed(1),
      "CPU time, gifsicle = 1": (packed.cpuSeconds / peerSeconds).toFixed(1),
    });
  }
  printTable(`${name}, ${bytes.length.toLocaleString("en")} bytes`, rows);
}
