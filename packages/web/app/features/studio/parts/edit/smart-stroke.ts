/** RGBA, 8 bits, straight alpha. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray };
type Spot = { x: number; y: number };
/** A piece of a stroke's path, px. */
export type Segment = { from: Spot; to: Spot; radiusPx: number };

type Stroke = {
  kind: "restore" | "erase";
  segments: readonly Segment[];
  /** Alpha of the region before the stroke, 0..255, a byte a pixel. */
  before: Uint8Array;
  width: number;
  height: number;
  /** The region of the original at its search size. */
  search: Pixels;
  /** Rows of the region of the original at full resolution. */
  readRows(top: number, rows: number): Uint8ClampedArray;
};

/** In radii of the brush: what the person surely meant, what the stroke may change, and where the surroundings are learned. */
const coreShare = 0.4;
const reachShare = 2;
const regionShare = 3;
/** The longest side of the search picture, px, by the time that it takes; more only where the brush is thin beside the region. */
const searchSidePx = 448;
const mostSearchSidePx = 640;
const wantedCells = 3;
/** A radius of fewer cells of the search picture finds no edge. */
const leastCells = 1.5;
/** The part of a picture that a smart stroke looks at, in px, and the size that it is searched at. It changes nothing outside. */
export type Region = {
  left: number;
  top: number;
  width: number;
  height: number;
  searchWidth: number;
  searchHeight: number;
};

/** The part of a picture, in whole px, that lies within `around` px of a path; empty where the path is beside the picture. */
export function boxAround(
  segments: readonly Segment[],
  around: (radiusPx: number) => number,
  size: { width: number; height: number },
): { left: number; top: number; width: number; height: number } {
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

/** Undefined where there is nothing to search: beside the picture, and for a stroke that is long and very thin. */
export function regionOf(segments: readonly Segment[], size: { width: number; height: number }): Region | undefined {
  const { left, top, width, height } = boxAround(segments, (radiusPx) => regionShare * radiusPx, size);
  if (width < 1 || height < 1) return undefined;
  const longer = Math.max(width, height);
  const radiusPx = thinnest(segments);
  const side = Math.min(longer, mostSearchSidePx, Math.max(searchSidePx, (wantedCells * longer) / radiusPx));
  if ((radiusPx * side) / longer < leastCells) return undefined;
  const [searchWidth, searchHeight] = [width, height].map((px) => Math.max(1, Math.round((px * side) / longer))) as [
    number,
    number,
  ];
  return { left, top, width, height, searchWidth, searchHeight };
}

const thinnest = (segments: readonly Segment[]) =>
  segments.reduce((least, { radiusPx }) => Math.min(least, radiusPx), Number.POSITIVE_INFINITY);

/**
 * The alpha of a region after a rough stroke that grew along the colours and edges of the original: 0..255, a byte a pixel.
 * A restoring stroke only adds to the alpha before, an erasing one only takes away, and beyond twice the brush's radius nothing changes.
 * Undefined where there is nothing to tell apart: all beyond that is already as the stroke wants it.
 *
 * Two fronts run from the stroke's core and from what lies well outside of it, slowed down by edges and by colours of the other side; they
 * meet at the outline: geodesic segmentation (Bai and Sapiro, "A geodesic framework for fast interactive image and video segmentation and
 * matting", ICCV 2007; Criminisi, Sharp and Blake, "GeoS", ECCV 2008). That is done on a small picture. The outline is then fitted to the
 * full resolution by a guided filter with coefficients of the small picture (He, Sun and Tang, "Guided image filtering", TPAMI 2013, with the
 * colour guide of its section 3.5; He and Sun, "Fast guided filter", arXiv 1505.00996).
 */
export function smartStroke(stroke: Stroke): Uint8Array<ArrayBuffer> | undefined {
  const { width, height, search } = stroke;
  const shares = distanceShares(stroke);
  const wanted = sampleWanted(stroke);
  // So that no pixel of a cell lies beyond the reach.
  const halfCell = Math.hypot(width / search.width, height / search.height) / 2 / thinnest(stroke.segments);
  const reach = reachShare - halfCell;
  const labels = labelSeeds({ shares, wanted, reach, core: Math.max(coreShare, halfCell) });
  // One front alone would fill all within the reach, however strong the edges.
  if (!labels.includes(outside)) return undefined;
  const owner = growSeeds(search, labels);
  const changed = changedCells({ owner, wanted, labels, width: search.width });
  const band = borderBand({ changed, wanted, shares, reach, width: search.width });
  const target = wanted.map((value, i) => (changed[i] ? 1 : value));
  return writePixels(stroke, { changed, band, fit: guideCoefficients(search, target, band) });
}

/** The alpha at full resolution: by the fit within the band, and whole where cells changed. */
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
    let pixels: Uint8ClampedArray | undefined; // read only where the border passes
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

/** The first pixel of each cell along a side, and the end of the last: a pixel is of the cell that its middle lies in. */
const firstPixels = (cells: number, pixels: number) =>
  Array.from({ length: cells + 1 }, (_, i) => Math.ceil((i * pixels) / cells - 0.5));

/** The distance of each cell of the search picture from the stroke's path, in radii of the brush. */
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

/** Spots that one piece may stand for: each is compared again with every piece that follows. */
const mostBetween = 64;

/** The path with fewer pieces, a tenth of the radius off at most: a pointer tells of every few pixels. */
function simplified(segments: readonly Segment[]): Segment[] {
  const kept: Segment[] = [];
  let between: Spot[] = [];
  for (const segment of segments) {
    const last = kept.at(-1);
    const isOneWay =
      last &&
      between.length < mostBetween &&
      last.to.x === segment.from.x &&
      last.to.y === segment.from.y &&
      Math.abs(segment.radiusPx - last.radiusPx) < last.radiusPx / 10 &&
      [...between, last.to].every((spot) => distanceTo(spot, last.from, segment.to) < last.radiusPx / 10);
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

function distanceTo(spot: Spot, from: Spot, to: Spot): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((spot.x - from.x) * dx + (spot.y - from.y) * dy) / length));
  return Math.hypot(spot.x - from.x - along * dx, spot.y - from.y - along * dy);
}

/** For each cell how much of what the stroke wants is there already, 0..1: alpha, or for an erasing stroke its opposite. */
function sampleWanted({ kind, before, width, height, search }: Stroke): Float32Array {
  const wanted = new Float32Array(search.width * search.height);
  for (let y = 0, i = 0; y < search.height; y += 1) {
    const row = Math.floor(((y + 0.5) * height) / search.height) * width;
    for (let x = 0; x < search.width; x += 1, i += 1) {
      const alpha = (before[row + Math.floor(((x + 0.5) * width) / search.width)] as number) / 255;
      wanted[i] = kind === "erase" ? 1 - alpha : alpha;
    }
  }
  return wanted;
}

const unknown = 0;
const inside = 1;
const outside = 2;
/** Beyond the reach and as the stroke wants it: no front runs there, and it tells nothing of the surroundings. */
const apart = 3;

function labelSeeds({
  shares,
  wanted,
  reach,
  core,
}: {
  shares: Float32Array;
  wanted: Float32Array;
  reach: number;
  core: number;
}): Uint8Array {
  const labels = new Uint8Array(shares.length);
  for (let i = 0; i < labels.length; i += 1) {
    const share = shares[i] as number;
    if (share <= core) labels[i] = inside;
    else if (share >= reach) labels[i] = (wanted[i] as number) >= 0.5 ? apart : outside;
  }
  return labels;
}

/** Costs of a step to the next cell: its length, a whole unit of OKLab (a visible edge has 0.05 to 0.3), and a colour of the other side. */
const stepCost = 2;
const colourCost = 300;
const likelihoodCost = 200;
const mostCost = 400;

/** Who reaches each cell first, `inside` or `outside`. */
function growSeeds(search: Pixels, labels: Uint8Array): Uint8Array {
  const { width, height } = search;
  const count = width * height;
  const lab = labOf(search);
  const likelihood = likelihoodOf(search, labels);
  const owner = labels.slice();
  const distance = new Int32Array(count).fill(2 ** 30);
  // Dial's algorithm: a ring of buckets, each a linked list, as no step costs more than `ring`. An edge is entered at most once a direction.
  const ring = Math.ceil(mostCost * Math.SQRT2) + 1;
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
          const like = likelihood[to] as number;
          const strange = side === inside ? 1 - like : like;
          const cost = Math.min(mostCost, stepCost + colourCost * edge + likelihoodCost * strange);
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

/** OKLab (Ottosson, 2020), three values a pixel. */
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
/** What a colour counts that neither side has: it decides nothing then. */
const rareShare = 1e-5;

/** How likely a pixel's colour is one of the stroke's rather than of its surroundings, 0..1, by their histograms. */
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

/** A histogram of three channels as shares of all, spread over the neighbouring bins: 1 2 1 along each. */
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

/** Steps that a change goes on through what was half there: the soft edge of the matte that it continues. */
const seamCells = 8;
const fullShare = 0.98;

/** The cells that become what the stroke wants: without specks along an outline that was right already, and without a seam to what was there. */
function changedCells({
  owner,
  wanted,
  labels,
  width,
}: {
  owner: Uint8Array;
  wanted: Float32Array;
  labels: Uint8Array;
  width: number;
}): Uint8Array {
  const missing = owner.map((side, i) => (side === inside && (wanted[i] as number) < 0.5 ? 1 : 0));
  const opened = spread(shrink(missing, width), width);
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
        const share = wanted[to] ?? 1;
        if (changed[to] || share < 0.5 || share >= fullShare || owner[to] !== inside) continue;
        changed[to] = 1;
        next.push(to);
      }
    }
    frontier = next;
  }
  return changed;
}

/** Cells of the guided filter's window to each side, and of the band along the border that it decides. */
const windowCells = 3;
const bandCells = 3;

/** The cells around the border between what changed and what the other side keeps. */
function borderBand({
  changed,
  wanted,
  shares,
  reach,
  width,
}: {
  changed: Uint8Array;
  wanted: Float32Array;
  shares: Float32Array;
  reach: number;
  width: number;
}): Uint8Array {
  const kept = changed.map((is, i) => (is || (wanted[i] as number) >= 0.5 ? 0 : 1));
  const besideKept = spread(kept, width);
  let band: Uint8Array = changed.map((is, i) => (is && besideKept[i] ? 1 : 0));
  for (let step = 0; step < bandCells; step += 1) band = spread(band, width);
  return band.map((is, i) => (is && (shares[i] as number) < reach ? 1 : 0));
}

/** A mask's cells and their eight neighbours. */
function spread(mask: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const wide = new Uint8Array(mask.length);
  for (let start = 0; start < mask.length; start += width)
    for (let i = start; i < start + width; i += 1)
      if (mask[i] || (i > start && mask[i - 1]) || (i < start + width - 1 && mask[i + 1])) wide[i] = 1;
  const both = wide.slice();
  for (let i = 0; i < wide.length; i += 1)
    if (wide[i]) {
      if (i >= width) both[i - width] = 1;
      if (i + width < wide.length) both[i + width] = 1;
    }
  return both;
}

function shrink(mask: Uint8Array, width: number): Uint8Array {
  return spread(
    mask.map((is) => 1 - is),
    width,
  ).map((is) => 1 - is);
}

/** Regularization of the guided filter, for colours of 0..1: a variance far below it counts as flat. */
const epsilon = 1e-4;
/** The ends of the filtered alpha that count as 0 and as 1: a haze would be seen on a clear ground. */
const haze = 0.1;

/** The alpha, 0..1, at a place of the search picture (cells, the middle of the first is 0), for the colour of the full resolution that stands at `at`. */
type Fit = (x: number, y: number, pixels: Uint8ClampedArray, at: number) => number;

/**
 * Fits `target` to the colours of the search picture, in windows around the band: alpha = a R + b G + c B + d, of colours 0..1.
 */
function guideCoefficients(search: Pixels, target: Float32Array, band: Uint8Array): Fit {
  const { width, height } = search;
  const fits = new Float32Array(band.length * 4);
  const means = new Float32Array(band.length * 4);
  const beside = spread(band, width); // what is interpolated
  let near = beside;
  for (let step = 0; step < windowCells; step += 1) near = spread(near, width);
  for (let i = 0; i < near.length; i += 1) if (near[i]) fits.set(fitWindow(search, target, i), i * 4);
  for (let i = 0; i < beside.length; i += 1) if (beside[i]) means.set(meanFit(fits, i, width), i * 4);
  return (x, y, pixels, at) => {
    const left = Math.max(0, Math.floor(x));
    const top = Math.max(0, Math.floor(y));
    const tx = Math.max(0, x - left);
    const ty = Math.max(0, y - top);
    const i = (top * width + left) * 4;
    const right = left < width - 1 ? i + 4 : i;
    const below = top < height - 1 ? width * 4 : 0;
    let alpha = 0;
    for (let k = 0; k < 4; k += 1) {
      const upper = (1 - tx) * (means[i + k] as number) + tx * (means[right + k] as number);
      const lower = (1 - tx) * (means[i + below + k] as number) + tx * (means[right + below + k] as number);
      const factor = k < 3 ? (pixels[at + k] as number) / 255 : 1;
      alpha += factor * ((1 - ty) * upper + ty * lower);
    }
    return Math.min(1, Math.max(0, (alpha - haze) / (1 - 2 * haze)));
  };
}

/** The window around a cell, cut off at the picture's sides: its first and last columns and rows. */
function windowAround(
  i: number,
  { width, height }: { width: number; height: number },
): [number, number, number, number] {
  const [x, y] = [i % width, Math.floor(i / width)];
  return [
    Math.max(0, x - windowCells),
    Math.min(width - 1, x + windowCells),
    Math.max(0, y - windowCells),
    Math.min(height - 1, y + windowCells),
  ];
}

/** Ridge regression of the target on the colours of one window: (19) and (20) of the paper. */
function fitWindow(search: Pixels, target: Float32Array, at: number): [number, number, number, number] {
  const { data, width } = search;
  const [left, right, top, bottom] = windowAround(at, search);
  let [mr, mg, mb, mt] = [0, 0, 0, 0];
  let [rr, rg, rb, gg, gb, bb] = [0, 0, 0, 0, 0, 0];
  let [rt, gt, bt] = [0, 0, 0];
  for (let y = top; y <= bottom; y += 1)
    for (let x = left; x <= right; x += 1) {
      const i = y * width + x;
      const r = (data[i * 4] as number) / 255;
      const g = (data[i * 4 + 1] as number) / 255;
      const b = (data[i * 4 + 2] as number) / 255;
      const t = target[i] as number;
      mr += r;
      mg += g;
      mb += b;
      mt += t;
      rr += r * r;
      rg += r * g;
      rb += r * b;
      gg += g * g;
      gb += g * b;
      bb += b * b;
      rt += r * t;
      gt += g * t;
      bt += b * t;
    }
  const count = (right - left + 1) * (bottom - top + 1);
  mr /= count;
  mg /= count;
  mb /= count;
  mt /= count;
  // The covariance of the colours, symmetric, and its inverse by cofactors.
  const [c00, c01, c02] = [rr / count - mr * mr + epsilon, rg / count - mr * mg, rb / count - mr * mb];
  const [c11, c12, c22] = [gg / count - mg * mg + epsilon, gb / count - mg * mb, bb / count - mb * mb + epsilon];
  const [v0, v1, v2] = [rt / count - mr * mt, gt / count - mg * mt, bt / count - mb * mt];
  const [k00, k01, k02] = [c11 * c22 - c12 * c12, c02 * c12 - c01 * c22, c01 * c12 - c02 * c11];
  const [k11, k12, k22] = [c00 * c22 - c02 * c02, c01 * c02 - c00 * c12, c00 * c11 - c01 * c01];
  const determinant = c00 * k00 + c01 * k01 + c02 * k02;
  const r = (k00 * v0 + k01 * v1 + k02 * v2) / determinant;
  const g = (k01 * v0 + k11 * v1 + k12 * v2) / determinant;
  const b = (k02 * v0 + k12 * v1 + k22 * v2) / determinant;
  return [r, g, b, mt - r * mr - g * mg - b * mb];
}

/** A cell lies in many windows: their mean is what holds for it. */
function meanFit(fits: Float32Array, at: number, width: number): [number, number, number, number] {
  const [left, right, top, bottom] = windowAround(at, { width, height: fits.length / 4 / width });
  let [r, g, b, d] = [0, 0, 0, 0];
  for (let y = top; y <= bottom; y += 1)
    for (let i = (y * width + left) * 4; i <= (y * width + right) * 4; i += 4) {
      r += fits[i] as number;
      g += fits[i + 1] as number;
      b += fits[i + 2] as number;
      d += fits[i + 3] as number;
    }
  const count = (right - left + 1) * (bottom - top + 1);
  return [r / count, g / count, b / count, d / count];
}
