import { createMemoryLayout, startClampToSource } from "@tintype/codecs/kernels";
import type { Raster, Rectangle } from "@tintype/codecs/raster";

type ClampOptions = {
  /** The picture that was enlarged. */
  source: Raster<Uint8Array>;
  /** The part of it that is clamped, px. */
  region: Rectangle;
  scale: 2 | 4;
  slack: 0 | 1;
};

/** `boundsOf` and `clampToBounds` in one, for 8-bit samples, in a twentieth of their time. */
export function clampBytes(enlarged: Raster<Uint8Array>, { source, region, scale, slack }: ClampOptions): void {
  const { channels } = source;
  const length = region.width * channels;
  const spread = spreadOf(channels, scale);
  const layout = createMemoryLayout();
  const rows = [0, 1, 2].map(() => layout.take(length + 2 * channels));
  const low = layout.take(length);
  const high = layout.take(length);
  const spreadAt = layout.take(spread.bytes.length);
  const clamped = layout.take(length * scale);
  const memory = layout.allocate();
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(spread.bytes, spreadAt);
  const kernel = startClampToSource(memory);
  const rowAt = (y: number) => rows[(y + 3) % 3] as number;
  const loadRow = (y: number) => load(source, { region, y }, bytes.subarray(rowAt(y)));
  loadRow(region.top - 1);
  loadRow(region.top);
  for (let y = region.top; y < region.top + region.height; y += 1) {
    loadRow(y + 1);
    const [above, row, below] = [rowAt(y - 1), rowAt(y), rowAt(y + 1)].map((at) => at + channels) as Rows;
    kernel.bound(above, row, below, row + length, channels, -slack, low, high);
    for (let line = y * scale; line < (y + 1) * scale; line += 1) {
      const start = (line * enlarged.width + region.left * scale) * channels;
      const own = enlarged.data.subarray(start, start + length * scale);
      bytes.set(own, clamped);
      kernel.clamp(clamped, clamped + own.length, low, high, spreadAt, spreadAt + spread.bytes.length, spread.advance);
      own.set(bytes.subarray(clamped, clamped + own.length));
    }
  }
}
type Rows = [number, number, number];

/** A row of the region with one pixel of padding on each side; beyond the source the edge pixel is replicated. */
function load(
  { data, width, height, channels }: Raster<Uint8Array>,
  { region, y }: { region: Rectangle; y: number },
  to: Uint8Array,
): void {
  const row = Math.min(height - 1, Math.max(0, y)) * width;
  const [left, right] = [region.left, region.left + region.width];
  const [first, last] = [Math.max(0, left - 1), Math.min(width - 1, right)];
  to.set(data.subarray((row + first) * channels, (row + last + 1) * channels), (first - left + 1) * channels);
  if (left === 0) to.copyWithin(0, channels, 2 * channels);
  const end = (region.width + 1) * channels;
  if (right === width) to.copyWithin(end, end - channels, end);
}

const blockBytes = 16;
const entryBytes = 32;

/** The source sample of each sample of a row: `spread` and `advance` as the kernel takes them. */
function spreadOf(channels: number, scale: number): { bytes: Uint8Array; advance: number } {
  const pixelBytes = channels * scale;
  let period = blockBytes;
  while (period % pixelBytes > 0) period += blockBytes;
  const bytes = new Uint8Array((period / blockBytes) * entryBytes);
  const sourceOf = (at: number) => Math.floor(at / pixelBytes) * channels + (at % channels);
  for (let at = 0, entry = 0; at < period; at += blockBytes, entry += entryBytes) {
    const from = Math.floor(at / pixelBytes) * channels;
    for (let i = 0; i < blockBytes; i += 1) bytes[entry + i] = sourceOf(at + i) - from;
    bytes[entry + blockBytes] = from;
  }
  return { bytes, advance: (period / pixelBytes) * channels };
}
