import type { Matte } from "../../state/picture.ts";
import { type Brush, cut, type Patch } from "./matte.ts";
import { regionOf, type Segment } from "./smart-stroke.ts";
import type { StrokeRequest } from "./smart-stroke.worker.ts";

/**
 * The matte's part that a stroke changes, as it is after it; undefined where the stroke is too thin to follow edges.
 * @throws Error when the browser cannot do it
 */
export type FindEdges = (stroke: {
  kind: Brush["kind"];
  segments: readonly Segment[];
  before: Matte;
}) => Promise<Patch | undefined>;

export type EdgeFinder = { find: FindEdges; start(): void; close(): void };

/** A worker that hangs must not keep the strokes behind waiting: a stroke takes some 0.3 s, and ten times that on slow phones. */
const timeoutMs = 15_000;

/** Follows edges of the original in a worker, so that the page goes on drawing. One stroke at a time. */
export function createEdgeFinder(original: ImageBitmap): EdgeFinder {
  let worker: Worker | undefined;
  const start = () => {
    if (worker) return worker;
    const started = new Worker(new URL("./smart-stroke.worker.ts", import.meta.url), { type: "module" });
    // One that does not even start is tried again with the stroke, which then hears of it.
    started.onerror = () => {
      if (worker === started) worker = undefined;
    };
    worker = started;
    return started;
  };
  const close = () => {
    worker?.terminate();
    worker = undefined;
  };
  return {
    start,
    close,
    async find({ kind, segments, before }) {
      const region = regionOf(segments, before);
      if (!region) return undefined;
      const { left, top, width, height } = region;
      const [across, down] = [original.width / before.width, original.height / before.height];
      const part = await createImageBitmap(
        original,
        Math.round(left * across),
        Math.round(top * down),
        Math.max(1, Math.round(width * across)),
        Math.max(1, Math.round(height * down)),
      );
      const request: StrokeRequest = {
        kind,
        region,
        segments: segments.map(({ from, to, radiusPx }) => ({
          from: { x: from.x - left, y: from.y - top },
          to: { x: to.x - left, y: to.y - top },
          radiusPx,
        })),
        before: cut(before.values, before.width, region),
        original: part,
      };
      try {
        const values = await ask(start(), request);
        return { left, top, width, height, values };
      } catch (cause) {
        close(); // the next stroke begins with a new one
        throw cause;
      }
    },
  };
}

function ask(worker: Worker, request: StrokeRequest): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No edges were found within ${timeoutMs} ms.`)), timeoutMs);
    worker.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.onerror = ({ message }) => {
      clearTimeout(timer);
      reject(new Error(message));
    };
    worker.postMessage(request, { transfer: [request.original, request.before.buffer] });
  });
}
