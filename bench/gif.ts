// Shrinking animated GIFs: bytes, likeness and time compared with gifsicle (from Debian) and sharp. npm run bench:gif
// [folder of the data packs]
import { argv } from "node:process";
import sharp from "sharp";
import { shrinkGif } from "../packages/codecs/src/gif/encode/shrink.ts";
import { animations } from "./gif/animations.ts";
import { measureEncoding } from "./gif/encoding.ts";
import { judgeAgainst } from "./gif/likeness.ts";
import { packers } from "./gif/packers.ts";
import { dataPacks } from "./packs.ts";
import { printTable } from "./resize/score.ts";

sharp.concurrency(1);
sharp.cache(false);
const packs = await dataPacks(argv[2]);

// Warm up: engine processes live long, so their code is compiled.
for await (const { bytes } of animations(packs)) if (bytes.length < 500_000) await shrinkGif(bytes, { quality: 75 });

const encoded = [];
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
  encoded.push({ animation: name, ...(await measureEncoding(bytes)) });
  printTable(`${name}, ${bytes.length.toLocaleString("en")} bytes`, rows);
}
printTable("Written again at half the width: resize and convert", encoded);
