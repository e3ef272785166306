import { type Box, type Region, type Segment, smartStroke } from "./smart-stroke.ts";

export type StrokeRequest = {
  kind: "restore" | "erase";
  region: Region;
  /** In px of the region. */
  segments: Segment[];
  /** Alpha of the region, 0..255. */
  before: Uint8Array<ArrayBuffer>;
  /** A part of the original at any scale, in whole pixels. */
  original: ImageBitmap;
  /** The region within that part, in fractional px of the part. */
  source: Box;
};

/**
 * Answers requests in order with the alpha of the region after the stroke, or undefined if there is nothing to segment. Errors surface as
 * the worker's `error` event.
 */
self.onmessage = ({ data }: MessageEvent<StrokeRequest>) => {
  const { kind, segments, before, original, source } = data;
  const { width, height, searchWidth, searchHeight } = data.region;
  const search = read(original, source, { width: searchWidth, height: searchHeight });
  const strip = contextOf({ width, height: Math.min(stripRows, height) });
  let stripTop = Number.NaN;
  const values = smartStroke({
    kind,
    segments,
    before,
    width,
    height,
    search,
    readRows(top, rows) {
      // A row of the search picture is about ten rows here, so one draw serves several reads.
      if (!(top >= stripTop && top + rows <= stripTop + strip.canvas.height)) {
        stripTop = Math.min(top, height - strip.canvas.height);
        strip.clearRect(0, 0, width, strip.canvas.height);
        const rowsOfStrip = strip.canvas.height;
        const down = source.height / height;
        const from = source.top + stripTop * down;
        strip.drawImage(original, source.left, from, source.width, rowsOfStrip * down, 0, 0, width, rowsOfStrip);
      }
      return strip.getImageData(0, top - stripTop, width, rows).data;
    },
  });
  original.close();
  self.postMessage(values, { transfer: values ? [values.buffer] : [] });
};

/** Drawn in strips: phones refuse a canvas of more than 16 megapixels. */
const stripRows = 256;

function contextOf({ width, height }: { width: number; height: number }): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no canvas in workers.");
  return context;
}

function read(image: ImageBitmap, source: Box, { width, height }: { width: number; height: number }): ImageData {
  const context = contextOf({ width, height });
  context.imageSmoothingQuality = "high";
  context.drawImage(image, source.left, source.top, source.width, source.height, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

/**
 * Warms up the JIT with strokes on a small synthetic picture. In Node 24 the first stroke on a photograph of 12 megapixels then takes
 * 0.3 s of CPU time instead of 0.55 s.
 */
function warmUp(): void {
  const side = 128;
  const data = new Uint8ClampedArray(side * side * 4);
  for (let i = 0; i < data.length; i += 1) data[i] = ((i * 7919) & 63) + ((i >> 2) % side > side / 2 ? 160 : 0);
  const middle = { x: side / 3, y: side / 2 };
  for (let round = 0; round < 6; round += 1)
    smartStroke({
      kind: "restore",
      segments: [{ from: middle, to: middle, radiusPx: side / 6 }],
      before: new Uint8Array(side * side),
      width: side,
      height: side,
      search: { width: side, height: side, data },
      readRows: (top, rows) => data.subarray(top * side * 4, (top + rows) * side * 4),
    });
}

warmUp();
