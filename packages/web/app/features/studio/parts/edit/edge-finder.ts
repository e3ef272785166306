import type { Matte } from "../../state/picture.ts";
import { type Brush, cut, type Patch } from "./matte.ts";
import { type Region, regionOf, type Segment } from "./smart-stroke.ts";
import type { StrokeRequest } from "./smart-stroke.worker.ts";

/**
 * The matte's part that a stroke changes, as it is after it; undefined where the stroke is too thin to follow edges, or has nothing to tell
 * apart.
 * @throws Error when the browser cannot do it, and when the finder is closed
 */
export type FindEdges = (stroke: {
  kind: Brush["kind"];
  segments: readonly Segment[];
  before: Matte;
}) => Promise<Patch | undefined>;

export type EdgeFinder = {
  find: FindEdges;
  /** Nothing is found before. It may be opened again; each `open` has its `close`. */
  open(): void;
  /** Starts the worker before the first stroke asks for it. */
  start(): void;
  /** Ends the worker. What is being looked for is rejected at once. */
  close(): void;
};

/** A worker that hangs must not keep the strokes behind waiting: a stroke takes some 0.3 s, and ten times that on slow phones. */
const timeoutMs = 15_000;

/** Follows edges of the original in a worker, so that the page goes on drawing. One stroke at a time. */
export function createEdgeFinder(original: ImageBitmap): EdgeFinder {
  let openings = 0;
  let worker: Worker | undefined;
  /** Rejects the request under way; without effect once that is answered. */
  let fail: (cause: Error) => void = () => undefined;

  function runningWorker(): Worker {
    if (worker) return worker;
    const started = new Worker(new URL("./smart-stroke.worker.ts", import.meta.url), { type: "module" });
    // One that does not even start is tried again with the stroke, which then hears of it.
    started.onerror = () => {
      if (worker === started) worker = undefined;
    };
    worker = started;
    return started;
  }

  /** The next stroke begins with a new one. */
  function endWorker(cause: Error) {
    worker?.terminate();
    worker = undefined;
    fail(cause);
  }

  const ask = (request: StrokeRequest) =>
    new Promise<Uint8Array | undefined>((resolve, reject) => {
      const asked = runningWorker();
      asked.postMessage(request, { transfer: [request.original, request.before.buffer] });
      const timer = setTimeout(() => endWorker(new Error(`No edges were found within ${timeoutMs} ms.`)), timeoutMs);
      fail = (cause) => {
        clearTimeout(timer);
        reject(cause);
      };
      asked.onmessage = ({ data }: MessageEvent<Uint8Array | undefined>) => {
        clearTimeout(timer);
        resolve(data);
      };
      asked.onerror = ({ message }) => endWorker(new Error(message));
    });

  return {
    open() {
      openings += 1;
    },
    start() {
      if (openings === 0) return;
      try {
        runningWorker();
      } catch {
        // The first stroke tries again, and hears of it.
      }
    },
    close() {
      openings -= 1;
      if (openings === 0) endWorker(closedFinder());
    },
    async find({ kind, segments, before }) {
      if (openings === 0) throw closedFinder();
      const region = regionOf(segments, before);
      if (!region) return undefined;
      const { left, top, width, height } = region;
      const { part, source } = await cropOriginal(original, region, before);
      try {
        if (openings === 0) throw closedFinder();
        const values = await ask({
          kind,
          region,
          segments: segments.map(({ from, to, radiusPx }) => ({
            from: { x: from.x - left, y: from.y - top },
            to: { x: to.x - left, y: to.y - top },
            radiusPx,
          })),
          before: cut(before.values, before.width, region),
          original: part,
          source,
        });
        return values && { left, top, width, height, values };
      } catch (cause) {
        part.close(); // without effect where a worker took it
        throw cause;
      }
    },
  };
}

const closedFinder = () => new Error("The editor was closed before the edges were found.");

/** The pixels of the original that a region touches, and where exactly it lies in them: the original may be of another size than the matte. */
async function cropOriginal(
  original: ImageBitmap,
  { left, top, width, height }: Region,
  size: { width: number; height: number },
): Promise<{ part: ImageBitmap; source: StrokeRequest["source"] }> {
  const [across, down] = [original.width / size.width, original.height / size.height];
  const [firstColumn, firstRow] = [Math.floor(left * across), Math.floor(top * down)];
  const endColumn = Math.min(original.width, Math.ceil((left + width) * across));
  const endRow = Math.min(original.height, Math.ceil((top + height) * down));
  const part = await createImageBitmap(
    original,
    firstColumn,
    firstRow,
    Math.max(1, endColumn - firstColumn),
    Math.max(1, endRow - firstRow),
  );
  const source = {
    left: left * across - firstColumn,
    top: top * down - firstRow,
    width: width * across,
    height: height * down,
  };
  return { part, source };
}
