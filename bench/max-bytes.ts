// The claims about max_bytes: npm run bench:max-bytes [files or folder of pictures]. Each picture is written in each
// format within shares of what quality 90 takes; the mean use of the bytes where the quality was the limit, and the time
// beside that of one encoding at the quality that was found. PNG does not shrink as far as the others.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { argv, env } from "node:process";
import sharp from "sharp";
import { DomainError, type OutputFormat } from "../packages/contract/src/index.ts";
import { formatModules } from "../packages/imaging/src/formats/registry.ts";
import { encodeWithin } from "../packages/imaging/src/formats/write-within.ts";
import { mean } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { timed } from "./timed.ts";

const given = argv[2] ?? join(await dataPacks(undefined), "photos");
const files = (await stat(given)).isDirectory()
  ? (await readdir(given)).map((name) => join(given, name))
  : argv.slice(2);
const wanted = (env["FORMATS"] ?? "jpeg,webp,avif,png").split(",") as OutputFormat[]; // the operator's own words
const shares = (format: OutputFormat) => (format === "png" ? [0.8, 0.6, 0.45] : [0.5, 0.2, 0.1]);
sharp.concurrency(1);

console.log(
  "| format | attempts | did not fit | mean use | least use | time, of one encoding |\n|---|--:|--:|--:|--:|--:|",
);
for (const format of wanted) {
  const uses: number[] = [];
  const times: number[] = [];
  let misses = 0;
  for (const file of files) {
    // The largest would take hours as AVIF and PNG; two megapixels are representative.
    const { data, info } = await sharp(file)
      .rotate()
      .resize(1600, 1600, { fit: "inside", withoutEnlargement: true })
      .flatten()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const open = () => sharp(data, { raw });
    const options = { minimizeBytes: true, hasHalvedColour: false, signal: new AbortController().signal };
    const usual = (await formatModules[format].encode(open(), { ...options, quality: 90 })).bytes.length;
    for (const share of shares(format)) {
      const maxBytes = Math.round(usual * share);
      const limit = { maxBytes, minQuality: 10, bestQuality: 100, allowResize: false };
      const fitted = await timed(() =>
        encodeWithin(open(), { ...options, ...limit, format, isAnimated: false, shrink: undefined }),
      ).catch((problem: unknown) => {
        if (problem instanceof DomainError) return undefined;
        throw problem;
      });
      if (!fitted) {
        misses += 1;
        continue;
      }
      const { quality, bytes } = fitted.answer;
      if (bytes.length > maxBytes) throw new Error(`${file} as ${format} has ${bytes.length} bytes of ${maxBytes}`);
      uses.push(bytes.length / maxBytes);
      const one = await timed(() => formatModules[format].encode(open(), { ...options, quality }));
      times.push(fitted.cpu / one.cpu);
      if (env["VERBOSE"])
        console.error(
          file.replace(/.*\//, ""),
          share,
          quality.toFixed(1),
          (bytes.length / maxBytes).toFixed(3),
          times.at(-1)?.toFixed(2),
        );
    }
  }
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const figures =
    uses.length > 0 ? [percent(mean(uses)), percent(Math.min(...uses)), mean(times).toFixed(2)] : ["–", "–", "–"];
  console.log(`| ${[format, uses.length + misses, misses, ...figures].join(" | ")} |`);
}
