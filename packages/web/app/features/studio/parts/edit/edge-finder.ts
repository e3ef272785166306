import type { Matte } from "../../state/picture.ts";
import { type Brush, cropValues, type Patch } from "./matte.ts";
import { type Region, regionOf, type Segment } from "./smart-stroke.ts";
import type { StrokeRequest } from "./smart-stroke.worker.ts";

/**
 * The part of the matte that a stroke changes, after the stroke; undefined if the stroke is too thin to follow edges or there is nothing
 * to segment.
 * @throws Error if the browser cannot do it or the finder is closed
 */
export type FindEdges = (stroke: {
  kind: Brush["kind"];
  segments: readonly Segment[];
  before: Matte;
}) => Promise<Patch | undefined>;

export type EdgeFinder = {
  find: FindEdges;
  /** Required before `find`. Calls nest: each `open` needs its own `close`. */
  open(): void;
  /** Starts the worker ahead of the first stroke. */
  start(): void;
  /** The last `close` terminates the worker and rejects a pending request. */
  close(): void;
};

/** A hanging worker must not block later strokes. A stroke takes about 0.3 s, and ten times that on slow phones. */
const timeoutMs = 15_000;

/** Follows the original's edges in a worker, so that the page stays responsive. One stroke at a time. */
export function createEdgeFinder(original: ImageBitmap): EdgeFinder {
  let openCount = 0;
  let worker: Worker | undefined;
  /** Rejects the pending request. Has no effect once it is settled. */
  let fail: (cause: Error) => void = () => undefined;

  function runningWorker(): Worker {
    if (worker) return worker;
    const started = new Worker(new URL("./smart-stroke.worker.ts", import.meta.url), { type: "module" });
    // If the worker fails to start, the next stroke tries again and gets the error.
    started.onerror = () => {
      if (worker === started) worker = undefined;
    };
    worker = started;
    return started;
  }

  /** Terminates the worker. The next stroke starts a new one. */
  function endWorker(cause: Error) {
    worker?.terminate();
    worker = undefined;
    fail(cause);
  }

  const sendRequest = (request: StrokeRequest) =>
    new Promise<Uint8Array | undefined>((resolve, reject) => {
      const current = runningWorker();
      current.postMessage(request, { transfer: [request.original, request.before.buffer] });
      const timer = setTimeout(() => endWorker(new Error(`No edges were found within ${timeoutMs} ms.`)), timeoutMs);
      fail = (cause) => {
        clearTimeout(timer);
        reject(cause);
      };
      current.onmessage = ({ data }: MessageEvent<Uint8Array | undefined>) => {
        clearTimeout(timer);
        resolve(data);
      };
      current.onerror = ({ message }) => endWorker(new Error(message));
    });

  return {
    open() {
      openCount += 1;
    },
    start() {
      if (openCount === 0) return;
      try {
        runningWorker();
      } catch {
        // The first stroke tries again and gets the error.
      }
    },
    close() {
      openCount -= 1;
      if (openCount === 0) endWorker(closedFinder());
    },
    async find({ kind, segments, before }) {
      if (openCount === 0) throw closedFinder();
      const region = regionOf(segments, before);
      if (!region) return undefined;
      const { left, top, width, height } = region;
      const { part, source } = await cropOriginal(original, region, before);
      try {
        if (openCount === 0) throw closedFinder();
        const values = await sendRequest({
          kind,
          region,
          segments: segments.map(({ from, to, radiusPx }) => ({
            from: { x: from.x - left, y: from.y - top },
            to: { x: to.x - left, y: to.y - top },
            radiusPx,
          })),
          before: cropValues(before.values, before.width, region),
          original: part,
          source,
        });
        return values && { left, top, width, height, values };
      } catch (cause) {
        part.close(); // no effect after a transfer to the worker
        throw cause;
      }
    },
  };
}

const closedFinder = () => new Error("The editor was closed before the edges were found.");

/** The original's pixels that a region touches, and the region's exact place in them. The original's size may differ from the matte's. */
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
