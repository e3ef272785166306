// Checks the claims on the smart brush of the cut-out editor (docs/decisions/0032): npm run bench:brush [folder of data packs]
// Each picture of the pairs is enlarged to 12 megapixels. Of the true matte all below the chest is missing, or a trail of the ground is too
// much. One rough stroke, as a person would paint it through the middle, mends it: as painted, and following edges. Printed are the
// overlaps with the true matte (intersection over union) and the time of one stroke in this process, without warming up in the first row.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { regionOf, type Segment, smartStroke } from "../packages/web/app/features/studio/parts/edit/smart-stroke.ts";
import { dataPacks } from "./packs.ts";

const folder = join(await dataPacks(argv[2]), "cutout");
const pixels = 12e6;
/** The brush relative to the part that it repairs: radius as a share of the part's usual width. */
const radiusShare = 0.35;
sharp.concurrency(1);

type Size = { width: number; height: number };
type Case = Size & { data: Uint8ClampedArray; truth: Uint8Array };
type Row = { before: number; painted: number; smart: number; ms: number };

const rows = { restore: [] as Row[], erase: [] as Row[] };
for (const name of (await readdir(join(folder, "images"))).sort()) {
  const one = await open(name);
  for (const kind of ["restore", "erase"] as const) {
    const row = await measure(kind, one);
    if (row) rows[kind].push(row);
  }
}
console.log(
  "| stroke | pictures | before | as painted | smart edges | ms, median | ms, largest |\n|---|--:|--:|--:|--:|--:|--:|",
);
for (const [kind, all] of Object.entries(rows)) {
  const mean = (of: (row: Row) => number) => (all.reduce((sum, row) => sum + of(row), 0) / all.length).toFixed(3);
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
  const overlaps = [mean(({ before }) => before), mean(({ painted }) => painted), mean(({ smart }) => smart)];
  const [median, largest] = [times[Math.floor(times.length / 2)] ?? 0, times.at(-1) ?? 0];
  console.log(`| ${[kind, all.length, ...overlaps, median.toFixed(0), largest.toFixed(0)].join(" | ")} |`);
}

async function open(name: string): Promise<Case> {
  const image = sharp(join(folder, "images", name));
  const { width: w = 1, height: h = 1 } = await image.metadata();
  const scale = Math.sqrt(pixels / (w * h));
  const size = { width: Math.round(w * scale), height: Math.round(h * scale) };
  const data = await image.ensureAlpha().resize(size.width, size.height, { fit: "fill" }).raw().toBuffer();
  const truth = await sharp(join(folder, "masks", name.replace(/[^.]+$/, "png")))
    .extractChannel(0)
    .resize(size.width, size.height, { fit: "fill" })
    .raw()
    .toBuffer();
  return {
    ...size,
    data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length),
    truth: new Uint8Array(truth),
  };
}

async function measure(kind: "restore" | "erase", { data, truth, ...size }: Case): Promise<Row | undefined> {
  const { width } = size;
  const isSubject = (at: number) => (truth[at] ?? 0) > 127;
  const first = truth.findIndex((value) => value > 127);
  const last = truth.findLastIndex((value) => value > 127);
  const [top, bottom] = [Math.floor(first / width), Math.floor(last / width)];
  const chest = Math.round(top + 0.35 * (bottom - top));
  const path = pathThrough((at) => isSubject(at) === (kind === "restore"), { from: chest, to: bottom, ...size });
  if (!path) return undefined;
  const before = truth.slice();
  if (kind === "restore") before.fill(0, chest * width);
  else
    paintHard(before, { segments: path.map((one) => ({ ...one, radiusPx: one.radiusPx * 1.3 })), value: 255, width });
  const painted = before.slice();
  paintHard(painted, { segments: path, value: kind === "restore" ? 255 : 0, width });

  const region = regionOf(path, size);
  if (!region) return undefined;
  const { left, top: upper, searchWidth, searchHeight } = region;
  const part = { left, top: upper, width: region.width, height: region.height };
  const whole = sharp(data, { raw: { ...size, channels: 4 } }).extract(part);
  const cutPixels = new Uint8ClampedArray(await whole.clone().raw().toBuffer());
  const search = new Uint8ClampedArray(await whole.resize(searchWidth, searchHeight, { fit: "fill" }).raw().toBuffer());
  const cut = new Uint8Array(part.width * part.height);
  for (let y = 0; y < part.height; y += 1) {
    const start = (part.top + y) * width + part.left;
    cut.set(before.subarray(start, start + part.width), y * part.width);
  }
  const begun = performance.now();
  const found = smartStroke({
    kind,
    segments: path.map(({ from, to, radiusPx }) => ({
      from: { x: from.x - part.left, y: from.y - part.top },
      to: { x: to.x - part.left, y: to.y - part.top },
      radiusPx,
    })),
    before: cut,
    width: part.width,
    height: part.height,
    search: { width: searchWidth, height: searchHeight, data: search },
    readRows: (y, count) => cutPixels.subarray(y * part.width * 4, (y + count) * part.width * 4),
  });
  const ms = performance.now() - begun;
  const values = found ?? cut; // nothing to tell apart: unchanged
  const after = before.slice();
  for (let y = 0; y < part.height; y += 1)
    after.set(values.subarray(y * part.width, (y + 1) * part.width), (part.top + y) * width + part.left);
  const [was, drawn, smart] = [before, painted, after].map((matte) => overlap(matte, truth)) as [
    number,
    number,
    number,
  ];
  return { before: was, painted: drawn, smart, ms };
}

/** A stroke along the middles of the widest runs, one point per fortieth of the height. */
function pathThrough(
  isWanted: (at: number) => boolean,
  { from, to, width, height }: Size & { from: number; to: number },
): Segment[] | undefined {
  const spots: { x: number; y: number; run: number }[] = [];
  const step = Math.round(height / 40);
  for (let y = from + Math.round(step / 2); y < to - Math.round(step / 3); y += step) {
    let [best, middle, start] = [0, 0, -1];
    for (let x = 0; x <= width; x += 1) {
      const is = x < width && isWanted(y * width + x);
      if (is && start < 0) start = x;
      if (is || start < 0) continue;
      if (x - start > best) [best, middle] = [x - start, (x + start) / 2];
      start = -1;
    }
    if (best > width / 60) spots.push({ x: middle, y, run: best });
  }
  const runs = spots.map(({ run }) => run).sort((a, b) => a - b);
  const radiusPx = radiusShare * (runs[Math.floor(runs.length / 2)] ?? 0);
  const path = spots.slice(1).map((spot, i) => ({ from: spots[i] as { x: number; y: number }, to: spot, radiusPx }));
  return path.length > 0 ? path : undefined;
}

function paintHard(
  matte: Uint8Array,
  { segments, value, width }: { segments: readonly Segment[]; value: number; width: number },
): void {
  const height = matte.length / width;
  for (const { from, to, radiusPx } of segments) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const [left, right] = [Math.min(from.x, to.x) - radiusPx, Math.max(from.x, to.x) + radiusPx];
    const [top, bottom] = [Math.min(from.y, to.y) - radiusPx, Math.max(from.y, to.y) + radiusPx];
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y += 1)
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x += 1) {
        const along = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy)));
        const away = (x - from.x - along * dx) ** 2 + (y - from.y - along * dy) ** 2;
        if (away < radiusPx * radiusPx) matte[y * width + x] = value;
      }
  }
}

function overlap(matte: Uint8Array, truth: Uint8Array): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < matte.length; i += 1) {
    const [is, should] = [(matte[i] as number) > 127, (truth[i] as number) > 127];
    if (is && should) both += 1;
    if (is || should) either += 1;
  }
  return both / either;
}
