// Checks the claims on our own deflate (docs/decisions/0022): npm run bench:deflate [files or folder of pictures]
// Bytes and processor time on the same filtered rows of each kind of picture: ours, Node's zlib by level and strategy, and
// libdeflate (libdeflate-gzip from Debian, where it is installed); then whole PNGs beside sharp's, which packs by zlib-ng.
// Without files it draws its own pictures. The best of three, in turns.
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import sharp from "sharp";
import { createDeflater, deflaterLayout } from "../packages/codecs/src/entropy/deflate.ts";
import { kernelMemory } from "../packages/codecs/src/kernels/memory.ts";
import { createFilter, filterLayout } from "../packages/codecs/src/png/encode/filter.ts";
import { rowsOf } from "../packages/codecs/src/raster/rows.ts";
import { drawPhoto, drawScreen } from "../packages/codecs/src/testing/drawn-pictures.ts";
import { packRows } from "../packages/imaging/src/formats/png/pack-rows.ts";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { readRgb } from "./read-rgb.ts";
import { runOperation } from "./run-operation.ts";
import { timed, timeProgram } from "./timed.ts";

type Picture = { kind: string; width: number; height: number; channels: 3 | 4; data: Uint8Array };
type Coder = { name: string; pack(rows: Uint8Array): Promise<{ bytes: Uint8Array; ms: number }> };

const longestSide = 1600;
const partBytes = 1 << 19;
const rounds = 3;
sharp.concurrency(1);

for (const [kind, pictures] of Map.groupBy(await allPictures(), (picture) => picture.kind)) {
  const rows = pictures.map(filtered);
  const megapixels = pictures.reduce((sum, { width, height }) => sum + (width * height) / 1e6, 0);
  console.log(`\n**${kind}**, ${pictures.length} pictures, ${megapixels.toFixed(1)} megapixels\n`);
  console.log("| coder | bytes, ours = 100 | ms a megapixel | time, ours = 1 |\n|---|--:|--:|--:|");
  await compare(await coders(), (coder) => rows.map((one) => () => coder.pack(one)), megapixels);
  console.log("\n| whole PNG | bytes, ours = 100 | ms a megapixel | time, ours = 1 |\n|---|--:|--:|--:|");
  await compare(writers(), (writer) => pictures.map((one) => () => writer.write(one)), megapixels);
}

async function compare<C extends { name: string }>(
  all: C[],
  worksOf: (one: C) => (() => Promise<{ bytes: Uint8Array; ms: number }>)[],
  megapixels: number,
): Promise<void> {
  const best = all.map((one) => ({ name: one.name, bytes: 0, ms: Array<number>(worksOf(one).length).fill(Infinity) }));
  for (let round = 0; round < rounds; round++)
    for (const [i, one] of all.entries()) {
      const row = best[i];
      if (!row) continue;
      row.bytes = 0;
      for (const [k, work] of worksOf(one).entries()) {
        const { bytes, ms } = await work();
        row.bytes += bytes.length;
        row.ms[k] = Math.min(row.ms[k] ?? Infinity, ms);
      }
    }
  const total = (ms: number[]) => ms.reduce((sum, one) => sum + one, 0) / megapixels;
  const [ours] = best;
  for (const { name, bytes, ms } of best)
    console.log(
      `| ${name} | ${((100 * bytes) / (ours?.bytes ?? 1)).toFixed(1)} | ${total(ms).toFixed(1)} | ${(total(ms) / total(ours?.ms ?? [1])).toFixed(2)} |`,
    );
}

async function measure(work: () => Uint8Array | Promise<Uint8Array>): Promise<{ bytes: Uint8Array; ms: number }> {
  const { answer: bytes, cpu } = await timed(work);
  return { bytes, ms: cpu * 1e3 };
}

async function coders(): Promise<Coder[]> {
  const zlib = (level: number, strategy: keyof typeof constants = "Z_DEFAULT_STRATEGY"): Coder => ({
    name: `zlib ${level}${strategy === "Z_DEFAULT_STRATEGY" ? "" : ` ${strategy}`}`,
    pack: (rows) => measure(() => deflateRawSync(rows, { level, strategy: constants[strategy] as number })),
  });
  return [
    { name: "ours", pack: (rows) => measure(() => packed(rows, false)) },
    { name: "ours, in haste", pack: (rows) => measure(() => packed(rows, true)) },
    ...[1, 3, 6, 9].map((level) => zlib(level)),
    ...[1, 6].map((level) => zlib(level, "Z_FILTERED")),
    ...[zlib(1, "Z_RLE"), zlib(6, "Z_HUFFMAN_ONLY")],
    ...(hasLibdeflate() ? [1, 3, 6, 9].map(libdeflate) : []),
  ];
}

function hasLibdeflate(): boolean {
  try {
    execFileSync("libdeflate-gzip", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function libdeflate(level: number): Coder {
  return {
    name: `libdeflate ${level}`,
    async pack(rows) {
      const { bytes, cpu } = await timeProgram(`libdeflate-gzip -${level} "$0"`, { bytes: rows, suffix: ".gz" });
      return { bytes, ms: 1e3 * cpu };
    },
  };
}

function packed(rows: Uint8Array, isUrgent: boolean): Uint8Array {
  const layout = deflaterLayout(partBytes);
  const memory = kernelMemory(layout.end);
  const deflater = createDeflater({ memory, layout, isUrgent });
  const bytes = new Uint8Array(memory.buffer);
  const parts: Uint8Array[] = [];
  for (let from = 0; from < rows.length; from += partBytes) {
    const part = rows.subarray(from, from + partBytes);
    bytes.set(part, layout.part);
    parts.push(deflater.pack(layout.part + part.length).slice());
  }
  parts.push(deflater.finish().slice());
  return Buffer.concat(parts);
}

/** Rows as our filter leaves them, each after its filter type byte. */
function filtered({ width, height, channels, data }: Picture): Uint8Array {
  const rowBytes = width * channels;
  const layout = filterLayout(64, rowBytes);
  const to = layout.end + 64;
  const memory = kernelMemory(to + rowBytes + 128);
  const filter = createFilter({ memory, layout, rowBytes, pixelBytes: channels, depth: 8 });
  const rows = new Uint8Array((rowBytes + 1) * height);
  for (let y = 0; y < height; y++) {
    filter.filterRow(data.subarray(y * rowBytes, (y + 1) * rowBytes), to);
    rows.set(new Uint8Array(memory.buffer, to, rowBytes + 1), y * (rowBytes + 1));
  }
  if (!inflateRawSync(packed(rows, false)).equals(rows)) throw new Error("Our deflate does not come back as it was.");
  return rows;
}

type Writer = { name: string; write(picture: Picture): Promise<{ bytes: Uint8Array; ms: number }> };

function writers(): Writer[] {
  return [
    { name: "ours", write: (picture) => measure(() => ourPng(picture)) },
    ...[1, 2, 3, 6, 9].map((level) => ({
      name: `sharp, zlib-ng ${level}`,
      write: ({ data, width, height, channels }: Picture) =>
        measure(() =>
          sharp(data, { raw: { width, height, channels } })
            .png({ adaptiveFiltering: true, compressionLevel: level })
            .toBuffer(),
        ),
    })),
  ];
}

async function ourPng({ data, width, height, channels }: Picture): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packRows(rowsOf<Uint8Array>({ data, width, height, channels }))) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

/** Pictures as they are, photographs cut out with a soft ellipse, and parts of them enlarged by our network. */
async function allPictures(): Promise<Picture[]> {
  const files = await givenFiles();
  const pictures = files.length > 0 ? await Promise.all(files.map(openFile)) : drawn();
  const photographs = pictures.filter(({ kind }) => kind === "photographs");
  const enlarged: Picture[] = [];
  for (const photograph of photographs) enlarged.push(await enlarge(photograph));
  return [
    ...photographs,
    ...enlarged,
    ...photographs.map(cutOut),
    ...pictures.filter(({ kind }) => kind === "screens"),
  ];
}

async function givenFiles(): Promise<string[]> {
  const [first, ...others] = argv.slice(2);
  if (first === undefined) return [];
  if (!(await stat(first)).isDirectory()) return [first, ...others];
  return (await readdir(first)).sort().map((name) => join(first, name));
}

/** Screenshots keep their size: reducing them blurs the glyphs and lines whose repeats a coder can use. */
async function openFile(path: string): Promise<Picture> {
  const kind = /(^|\/)ui_|screen/i.test(path) ? "screens" : "photographs";
  const size = kind === "screens" ? {} : { width: longestSide, height: longestSide };
  const image = sharp(path)
    .autoOrient()
    .resize({ ...size, fit: "inside", withoutEnlargement: true });
  return { kind, ...(await readRgb(image)) };
}

function drawn(): Picture[] {
  const size = { width: 1200, height: 900 };
  return [
    { kind: "photographs", channels: 3, ...only(drawPhoto(size)) },
    { kind: "screens", channels: 3, ...only(drawScreen(size)) },
  ];
}

function only({ width, height, data }: { width: number; height: number; data: Uint8Array | Uint16Array }) {
  return { width, height, data: Uint8Array.from(data) };
}

function cutOut({ width, height, data }: Picture): Picture {
  const cut = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const away = Math.hypot((2 * x) / width - 1, (2 * y) / height - 1) / 0.7;
      const alpha = Math.round(255 * Math.min(1, Math.max(0, (1 - away) * 40)));
      const at = y * width + x;
      if (alpha > 0) cut.set([...data.subarray(3 * at, 3 * at + 3), alpha], 4 * at);
    }
  return { kind: "cut-outs", width, height, channels: 4, data: cut };
}

async function enlarge({ width, height, data }: Picture): Promise<Picture> {
  const folder = await mkdtemp(join(tmpdir(), "bench-deflate-"));
  try {
    const [inputPath, outputPath] = [join(folder, "in"), join(folder, "out")];
    const part = { left: Math.floor(width / 4), top: Math.floor(height / 4), width: 320, height: 240 };
    await sharp(data, { raw: { width, height, channels: 3 } })
      .extract(part)
      .png()
      .toFile(inputPath);
    await runOperation(createImaging({ models: { threads: availableParallelism() } }), {
      name: "upscale",
      options: { scale_factor: 4, model: "auto" },
      inputPath,
      outputPath,
    });
    const { data: enlarged, info } = await sharp(outputPath).raw().toBuffer({ resolveWithObject: true });
    return { kind: "enlargements", data: enlarged, width: info.width, height: info.height, channels: 3 };
  } finally {
    await rm(folder, { recursive: true });
  }
}
