import { type Fit, guideCoefficients, type Pixels } from "./guided-filter.ts";
import { dilate, erode } from "./mask.ts";

export type Point = { x: number; y: number };
export type Box = { left: number; top: number; width: number; height: number };
/** A segment of a stroke's path, px. */
export type Segment = { from: Point; to: Point; radiusPx: number };

type Stroke = {
  kind: "restore" | "erase";
  segments: readonly Segment[];
  /** Alpha of the region before the stroke, 0..255, one byte per pixel. */
  before: Uint8Array;
  width: number;
  height: number;
  /** The region of the original, scaled to the search size. */
  search: Pixels;
  /** Reads rows of the original's region at full resolution. */
  readRows(top: number, rows: number): Uint8ClampedArray;
};

/** In brush radii: what the user certainly meant, what the stroke may change, and how far the surroundings are sampled. */
const coreShare = 0.4;
const reachShare = 2;
const regionShare = 3;
/** Longer side of the search picture, px, limited by the time it takes. It is larger only if the brush is thin relative to the region. */
const searchSidePx = 448;
const maxSearchSidePx = 640;
const targetCells = 3;
/** With a radius of fewer cells of the search picture no edge can be found. */
const minCells = 1.5;
/** The part of a picture that a smart stroke examines, px, and the size at which it is searched. Nothing outside it changes. */
export type Region = Box & { searchWidth: number; searchHeight: number };

/** The part of a picture, in whole px, within `around` px of a path; empty if the path is outside the picture. */
export function boxAround(
  segments: readonly Segment[],
  around: (radiusPx: number) => number,
  size: { width: number; height: number },
): Box {
  let [left, top, right, bottom] = [size.width, size.height, 0, 0];
  for (const { from, to, radiusPx } of segments) {
    const px = around(radiusPx);
    left = Math.min(left, from.x - px, to.x - px);
    top = Math.min(top, from.y - px, to.y - px);
    right = Math.max(right, from.x + px, to.x + px);
    bottom = Math.max(bottom, from.y + px, to.y + px);
  }
  left = Math.max(0, Math.floor(left));
  top = Math.max(0, Math.floor(top));
  return {
    left,
    top,
    width: Math.max(0, Math.min(size.width, Math.ceil(right)) - left),
    height: Math.max(0, Math.min(size.height, Math.ceil(bottom)) - top),
  };
}

/** The region of a stroke; undefined if the stroke is outside the picture, or long and very thin. */
export function regionOf(segments: readonly Segment[], size: { width: number; height: number }): Region | undefined {
  const { left, top, width, height } = boxAround(segments, (radiusPx) => regionShare * radiusPx, size);
  if (width < 1 || height < 1) return undefined;
  const longer = Math.max(width, height);
  const radiusPx = thinnest(segments);
  const side = Math.min(longer, maxSearchSidePx, Math.max(searchSidePx, (targetCells * longer) / radiusPx));
  if ((radiusPx * side) / longer < minCells) return undefined;
  const [searchWidth, searchHeight] = [width, height].map((px) => Math.max(1, Math.round((px * side) / longer))) as [
    number,
    number,
  ];
  return { left, top, width, height, searchWidth, searchHeight };
}

const thinnest = (segments: readonly Segment[]) =>
  segments.reduce((min, { radiusPx }) => Math.min(min, radiusPx), Number.POSITIVE_INFINITY);

/**
 * The alpha of a region after a rough stroke, fitted to the colours and edges of the original: 0..255, one byte per pixel.
 * A restoring stroke only raises alpha, an erasing one only lowers it, and nothing changes beyond twice the brush's radius.
 * Undefined if there is nothing to segment: everything beyond that radius already is as the stroke would make it.
 *
 * Geodesic segmentation on a small picture: two fronts grow from the stroke's core and from well outside it. Edges and colours of the
 * other side slow them down, so that they meet at the outline (Bai and Sapiro, "A geodesic framework for fast interactive image and video
 * segmentation and matting", ICCV 2007; Criminisi, Sharp and Blake, "GeoS", ECCV 2008). A guided filter with the small picture's
 * coefficients then refines the outline at full resolution (He and Sun, "Fast guided filter", arXiv 1505.00996).
 */
export function smartStroke(stroke: Stroke): Uint8Array<ArrayBuffer> | undefined {
  const { width, height, search } = stroke;
  const shares = distanceShares(stroke);
  const coverage = sampleCoverage(stroke);
  // Keeps all pixels of a cell within reach.
  const halfCell = Math.hypot(width / search.width, height / search.height) / 2 / thinnest(stroke.segments);
  const reach = reachShare - halfCell;
  const labels = labelSeeds({ shares, coverage, reach, core: Math.max(coreShare, halfCell) });
  // Without a second front, the first one would fill everything within reach, whatever the edges.
  if (!labels.includes(outside)) return undefined;
  const owner = growSeeds(search, labels);
  const changed = changedCells({ owner, coverage, labels, width: search.width });
  const band = borderBand({ changed, coverage, shares, reach, width: search.width });
  const target = coverage.map((value, i) => (changed[i] ? 1 : value));
  return writePixels(stroke, { changed, band, fit: guideCoefficients(search, target, band) });
}

/** The alpha at full resolution: from the fit inside the band, and 0 or 255 in all other changed cells. */
function writePixels(
  { kind, before, width, height, search, readRows }: Stroke,
  { changed, band, fit }: { changed: Uint8Array; band: Uint8Array; fit: Fit },
): Uint8Array<ArrayBuffer> {
  const isErasing = kind === "erase";
  const after = before.slice();
  const columns = firstPixels(search.width, width);
  const lines = firstPixels(search.height, height);
  const [across, down] = [search.width / width, search.height / height];
  for (let row = 0; row < search.height; row += 1) {
    const [top, bottom] = [lines[row] as number, lines[row + 1] as number];
    let pixels: Uint8ClampedArray | undefined; // read only for rows that the border crosses
    for (let column = 0; column < search.width; column += 1) {
      const cell = row * search.width + column;
      if (!changed[cell] && !band[cell]) continue;
      const left = columns[column] as number;
      if (!band[cell]) {
        while (
          column + 1 < search.width &&
          changed[row * search.width + column + 1] &&
          !band[row * search.width + column + 1]
        )
          column += 1;
        const end = columns[column + 1] as number;
        for (let y = top; y < bottom; y += 1) after.fill(isErasing ? 0 : 255, y * width + left, y * width + end);
        continue;
      }
      const right = columns[column + 1] as number;
      pixels ??= readRows(top, bottom - top);
      for (let y = top; y < bottom; y += 1)
        for (let x = left; x < right; x += 1) {
          const at = y * width + x;
          const share = fit((x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5, pixels, ((y - top) * width + x) * 4);
          const now = before[at] as number;
          after[at] = isErasing ? Math.min(now, Math.round(255 * (1 - share))) : Math.max(now, Math.round(255 * share));
        }
    }
  }
  return after;
}

/** The first pixel of each cell along a side, and the end of the last. A pixel belongs to the cell that contains its centre. */
const firstPixels = (cells: number, pixels: number) =>
  Array.from({ length: cells + 1 }, (_, i) => Math.ceil((i * pixels) / cells - 0.5));

/** The distance of each cell of the search picture from the stroke's path, in brush radii. */
function distanceShares({ segments, width, height, search }: Stroke): Float32Array {
  const squares = new Float32Array(search.width * search.height).fill(Number.POSITIVE_INFINITY);
  const [across, down] = [width / search.width, height / search.height];
  for (const { from, to, radiusPx } of simplified(segments)) {
    const around = regionShare * radiusPx;
    const first = Math.max(0, Math.floor((Math.min(from.x, to.x) - around) / across));
    const last = Math.min(search.width - 1, Math.ceil((Math.max(from.x, to.x) + around) / across));
    const end = Math.min(search.height - 1, Math.ceil((Math.max(from.y, to.y) + around) / down));
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = dx * dx + dy * dy;
    for (let y = Math.max(0, Math.floor((Math.min(from.y, to.y) - around) / down)); y <= end; y += 1)
      for (let x = first; x <= last; x += 1) {
        const px = (x + 0.5) * across - from.x;
        const py = (y + 0.5) * down - from.y;
        const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
        const square = ((px - along * dx) ** 2 + (py - along * dy) ** 2) / (radiusPx * radiusPx);
        const at = y * search.width + x;
        if (square < (squares[at] as number)) squares[at] = square;
      }
  }
  return squares.map(Math.sqrt);
}

/** Most spots merged into one segment: each is compared again with every following segment. */
const maxBetween = 64;

/** Simplifies the path with an error of at most a tenth of the radius: a pointer reports a spot every few pixels. */
function simplified(segments: readonly Segment[]): Segment[] {
  const kept: Segment[] = [];
  let between: Point[] = [];
  for (const segment of segments) {
    const last = kept.at(-1);
    const isOneWay =
      last &&
      between.length < maxBetween &&
      last.to.x === segment.from.x &&
      last.to.y === segment.from.y &&
      Math.abs(segment.radiusPx - last.radiusPx) < last.radiusPx / 10 &&
      [...between, last.to].every((point) => distanceTo(point, last.from, segment.to) < last.radiusPx / 10);
    if (last && isOneWay) {
      between.push(last.to);
      kept[kept.length - 1] = { ...last, to: segment.to };
    } else {
      between = [];
      kept.push(segment);
    }
  }
  return kept;
}

function distanceTo(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((point.x - from.x) * dx + (point.y - from.y) * dy) / length));
  return Math.hypot(point.x - from.x - along * dx, point.y - from.y - along * dy);
}

/** How far each cell already is as the stroke would make it, 0..1: alpha, or for an erasing stroke 1 minus alpha. */
function sampleCoverage({ kind, before, width, height, search }: Stroke): Float32Array {
  const coverage = new Float32Array(search.width * search.height);
  for (let y = 0, i = 0; y < search.height; y += 1) {
    const row = Math.floor(((y + 0.5) * height) / search.height) * width;
    for (let x = 0; x < search.width; x += 1, i += 1) {
      const alpha = (before[row + Math.floor(((x + 0.5) * width) / search.width)] as number) / 255;
      coverage[i] = kind === "erase" ? 1 - alpha : alpha;
    }
  }
  return coverage;
}

const unknown = 0;
const inside = 1;
const outside = 2;
/** Beyond reach and already as the stroke would make it: no front grows there, and it is no sample of the surroundings. */
const apart = 3;

function labelSeeds({
  shares,
  coverage,
  reach,
  core,
}: {
  shares: Float32Array;
  coverage: Float32Array;
  reach: number;
  core: number;
}): Uint8Array {
  const labels = new Uint8Array(shares.length);
  for (let i = 0; i < labels.length; i += 1) {
    const share = shares[i] as number;
    if (share <= core) labels[i] = inside;
    else if (share >= reach) labels[i] = (coverage[i] as number) >= 0.5 ? apart : outside;
  }
  return labels;
}

/** Costs of a step to a neighbour: its length, per unit of OKLab (a visible edge has 0.05 to 0.3), and for a colour of the other side. */
const stepCost = 2;
const colourCost = 300;
const likelihoodCost = 200;
const maxCost = 400;

/** Which front reaches each cell first, `inside` or `outside`. */
function growSeeds(search: Pixels, labels: Uint8Array): Uint8Array {
  const { width, height } = search;
  const count = width * height;
  const lab = labOf(search);
  const likelihood = likelihoodOf(search, labels);
  const owner = labels.slice();
  const distance = new Int32Array(count).fill(2 ** 30);
  // Dial's algorithm: a circular array of buckets, each a linked list, since no step costs more than `ring`. Each directed edge is pushed
  // at most once.
  const ring = Math.ceil(maxCost * Math.SQRT2) + 1;
  const heads = new Int32Array(ring).fill(-1);
  const cells = new Int32Array(count * 9);
  const nexts = new Int32Array(count * 9);
  let entries = 0;
  let waiting = 0;
  const push = (cell: number, bucket: number) => {
    cells[entries] = cell;
    nexts[entries] = heads[bucket] as number;
    heads[bucket] = entries;
    entries += 1;
    waiting += 1;
  };
  for (let i = 0; i < count; i += 1) {
    if (labels[i] === unknown) continue;
    distance[i] = labels[i] === apart ? -1 : 0;
    if (labels[i] !== apart) push(i, 0);
  }
  for (let now = 0; waiting > 0; now += 1) {
    const bucket = now % ring;
    let entry = heads[bucket] as number;
    heads[bucket] = -1;
    for (; entry >= 0; entry = nexts[entry] as number) {
      waiting -= 1;
      const at = cells[entry] as number;
      if (distance[at] !== now) continue;
      const x = at % width;
      const side = owner[at] as number;
      const [l, a, b] = [lab[at * 3] as number, lab[at * 3 + 1] as number, lab[at * 3 + 2] as number];
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) {
          const to = at + dy * width + dx;
          if (to < 0 || to >= count || x + dx < 0 || x + dx >= width || (distance[to] as number) <= now) continue;
          const edge = Math.sqrt(
            (l - (lab[to * 3] as number)) ** 2 +
              (a - (lab[to * 3 + 1] as number)) ** 2 +
              (b - (lab[to * 3 + 2] as number)) ** 2,
          );
          const match = likelihood[to] as number;
          const mismatch = side === inside ? 1 - match : match;
          const cost = Math.min(maxCost, stepCost + colourCost * edge + likelihoodCost * mismatch);
          const next = now + Math.round(dx !== 0 && dy !== 0 ? cost * Math.SQRT2 : cost);
          if (next >= (distance[to] as number)) continue;
          distance[to] = next;
          owner[to] = side;
          push(to, next % ring);
        }
    }
  }
  return owner;
}

const linear = Float32Array.from({ length: 256 }, (_, v) =>
  v <= 10 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
);

/** Converts to OKLab (Ottosson, 2020), three values per pixel. */
function labOf({ width, height, data }: Pixels): Float32Array {
  const lab = new Float32Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    const r = linear[data[i * 4] as number] as number;
    const g = linear[data[i * 4 + 1] as number] as number;
    const b = linear[data[i * 4 + 2] as number] as number;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[i * 3] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    lab[i * 3 + 1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    lab[i * 3 + 2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  }
  return lab;
}

const binsPerChannel = 12;
/** Added to both histograms, so that a colour on neither side has a likelihood of one half. */
const rareShare = 1e-5;

/** The likelihood, 0..1, that a pixel's colour belongs to the stroke and not to its surroundings, by their histograms. */
function likelihoodOf({ width, height, data }: Pixels, labels: Uint8Array): Float32Array {
  const binOf = (i: number) => {
    const r = ((data[i * 4] as number) * binsPerChannel) >> 8;
    const g = ((data[i * 4 + 1] as number) * binsPerChannel) >> 8;
    const b = ((data[i * 4 + 2] as number) * binsPerChannel) >> 8;
    return (r * binsPerChannel + g) * binsPerChannel + b;
  };
  const own = new Float32Array(binsPerChannel ** 3);
  const other = new Float32Array(binsPerChannel ** 3);
  for (let i = 0; i < width * height; i += 1) {
    if (labels[i] !== inside && labels[i] !== outside) continue;
    const counts = labels[i] === inside ? own : other;
    const bin = binOf(i);
    counts[bin] = (counts[bin] as number) + 1;
  }
  const [ownShares, otherShares] = [smoothHistogram(own), smoothHistogram(other)];
  const likelihood = new Float32Array(width * height);
  for (let i = 0; i < width * height; i += 1) {
    const bin = binOf(i);
    const mine = (ownShares[bin] as number) + rareShare;
    likelihood[i] = mine / (mine + (otherShares[bin] as number) + rareShare);
  }
  return likelihood;
}

/** Normalises a histogram of three channels and smooths it with a 1 2 1 kernel along each channel. */
function smoothHistogram(counts: Float32Array): Float32Array {
  const n = binsPerChannel;
  const total = Math.max(
    1,
    counts.reduce((sum, value) => sum + value, 0),
  );
  let from = counts.map((value) => value / total);
  for (const stride of [1, n, n * n])
    from = from.map((value, i, all) => {
      const place = Math.floor(i / stride) % n;
      const earlier = place > 0 ? (all[i - stride] as number) : value;
      const later = place < n - 1 ? (all[i + stride] as number) : value;
      return (earlier + 2 * value + later) / 4;
    });
  return from;
}

/** How many cells a change extends into a soft edge of the old matte, to leave no seam there. */
const seamCells = 8;
const fullShare = 0.98;

/** The cells that the stroke changes, without specks along an outline that was right already and without a seam to the old matte. */
function changedCells({
  owner,
  coverage,
  labels,
  width,
}: {
  owner: Uint8Array;
  coverage: Float32Array;
  labels: Uint8Array;
  width: number;
}): Uint8Array {
  const missing = owner.map((side, i) => (side === inside && (coverage[i] as number) < 0.5 ? 1 : 0));
  const opened = dilate(erode(missing, width), width);
  const changed = missing.map((is, i) => (is && (opened[i] || labels[i] === inside) ? 1 : 0));
  let frontier: number[] = [];
  for (let i = 0; i < changed.length; i += 1) if (changed[i]) frontier.push(i);
  for (let step = 0; step < seamCells && frontier.length > 0; step += 1) {
    const next: number[] = [];
    for (const i of frontier) {
      const column = i % width;
      const neighbours = [i - width, i + width];
      if (column > 0) neighbours.push(i - 1);
      if (column < width - 1) neighbours.push(i + 1);
      for (const to of neighbours) {
        const share = coverage[to] ?? 1;
        if (changed[to] || share < 0.5 || share >= fullShare || owner[to] !== inside) continue;
        changed[to] = 1;
        next.push(to);
      }
    }
    frontier = next;
  }
  return changed;
}

/** Cells to each side of the border in which the guided filter sets alpha. */
const bandCells = 3;

/** The cells around the border between what changed and what stays on the other side. */
function borderBand({
  changed,
  coverage,
  shares,
  reach,
  width,
}: {
  changed: Uint8Array;
  coverage: Float32Array;
  shares: Float32Array;
  reach: number;
  width: number;
}): Uint8Array {
  const kept = changed.map((is, i) => (is || (coverage[i] as number) >= 0.5 ? 0 : 1));
  const besideUnchanged = dilate(kept, width);
  let band: Uint8Array = changed.map((is, i) => (is && besideUnchanged[i] ? 1 : 0));
  for (let step = 0; step < bandCells; step += 1) band = dilate(band, width);
  return band.map((is, i) => (is && (shares[i] as number) < reach ? 1 : 0));
}
