// Time from process start to a finished 1 MP JPEG: the packed command, raw sharp, and other installable tools. Warm.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawnJpeg } from "../packages/toolkit/src/testing/drawn-jpeg.ts";
import { installPacked } from "../test/packed/pack.ts";
import { median } from "./averages.ts";

const rounds = Number(process.argv[2] ?? 15);
const others = ["sharp-cli@6.1.0"];
const packed = await installPacked("@tintype/cli");
const { folder } = packed;
const room = mkdtempSync(join(tmpdir(), "tintype-bench-cli-"));
writeFileSync(join(folder, "a.jpg"), await drawnJpeg({ width: 1155, height: 866 }));
writeFileSync(
  join(folder, "raw.mjs"),
  'import sharp from "sharp";\nawait sharp("a.jpg").jpeg({ quality: 75, mozjpeg: true }).toFile("raw.jpg");\n',
);
const install = ["install", "--no-audit", "--no-fund", "--prefix", room, ...others];
const hasOthers = spawnSync("npm", install, { stdio: "ignore" }).status === 0;

const node = process.execPath;
const commands: Record<string, string[]> = {
  "raw sharp (mozjpeg)": [node, "raw.mjs"],
  tintype: [node, "node_modules/@tintype/cli/dist/tintype.js", "compress", "a.jpg", "--out", "out", "--no-cache"],
  ...(hasOthers
    ? {
        "sharp-cli 6.1.0": [
          node,
          join(room, "node_modules/sharp-cli/bin/cli.js"),
          "-i",
          "a.jpg",
          "-o",
          "cli.jpg",
          "-q",
          "75",
          "--mozjpeg",
        ],
      }
    : {}),
};
const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
const environment = { ...process.env, TINTYPE_CACHE: join(room, "cache") };
for (let round = -2; round < rounds; round++)
  for (const [name, [file = "", ...args]] of Object.entries(commands)) {
    rmSync(join(folder, "out"), { recursive: true, force: true });
    const begun = performance.now();
    execFileSync(file, args, { cwd: folder, stdio: "ignore", env: environment });
    if (round >= 0) times.get(name)?.push(performance.now() - begun); // the first two runs warm the disk cache
  }
const base = median(times.get("raw sharp (mozjpeg)") ?? []);
for (const [name, values] of times)
  console.log(
    `${name.padEnd(22)} median ${median(values).toFixed(0).padStart(5)} ms, least ${Math.min(...values)
      .toFixed(0)
      .padStart(5)} ms, ${(median(values) / base).toFixed(2)} of raw sharp`,
  );
packed.remove();
rmSync(room, { recursive: true, force: true });
