import type { Matte } from "../../state/picture.ts";
import { type Box, boxAround, type Point } from "./smart-stroke.ts";

export type Brush = {
  kind: "restore" | "erase";
  /** Diameter, px of the picture. */
  sizePx: number;
  /** 0 is soft up to the centre, 1 a sharp edge. */
  hardness: number;
  /** When the stroke ends, it is fitted to the edges of the original. */
  isSmart: boolean;
};

/** A rectangular part of a matte with replacement values, such as those before a stroke. */
export type Patch = Box & { values: Uint8Array };

/** Strength of a brush, 0..1. `distance` is from its centre, as a share of its radius. */
export const brushShare = (distance: number, hardness: number): number => {
  if (distance >= 1) return 0;
  if (distance <= hardness) return 1;
  const t = (1 - distance) / (1 - hardness);
  return t * t * (3 - 2 * t);
};

/** Paints from one spot to another. A restoring brush only raises alpha, an erasing one only lowers it, so segments may overlap. */
export function paint(matte: Matte, brush: Brush, from: Point, to: Point): void {
  const { width, height, values } = matte;
  const radius = Math.max(0.5, brush.sizePx / 2);
  const [left, right] = [Math.min(from.x, to.x) - radius, Math.max(from.x, to.x) + radius];
  const [top, bottom] = [Math.min(from.y, to.y) - radius, Math.max(from.y, to.y) + radius];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const square = dx * dx + dy * dy;
  const isRestoring = brush.kind === "restore";
  const full = isRestoring ? 255 : 0;
  const [outer, inner] = [radius * radius, radius * radius * brush.hardness * brush.hardness];
  for (let y = Math.max(0, Math.floor(top)); y <= Math.min(height - 1, Math.ceil(bottom)); y += 1)
    for (let x = Math.max(0, Math.floor(left)); x <= Math.min(width - 1, Math.ceil(right)); x += 1) {
      const at = y * width + x;
      const now = values[at] as number;
      // Segments of a large brush's stroke overlap almost entirely.
      if (now === full) continue;
      const px = x + 0.5 - from.x;
      const py = y + 0.5 - from.y;
      const along = square === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / square));
      const away = (px - along * dx) ** 2 + (py - along * dy) ** 2;
      if (away >= outer) continue;
      const share = away <= inner ? 1 : brushShare(Math.sqrt(away) / radius, brush.hardness);
      values[at] = isRestoring ? Math.max(now, Math.round(255 * share)) : Math.min(now, Math.round(255 * (1 - share)));
    }
}

/** The bounding box of what `paint` may change, for all pieces of a stroke. */
export function strokeBox(
  pieces: readonly { brush: Brush; from: Point; to: Point }[],
  size: { width: number; height: number },
): Box {
  const segments = pieces.map(({ brush, from, to }) => ({ from, to, radiusPx: brush.sizePx / 2 }));
  return boxAround(segments, (radiusPx) => radiusPx + 1, size);
}

/** The difference between two mattes of the same size: the smallest box, with the earlier values. */
export function patchBetween(before: Uint8Array, { width, height, values }: Matte): Patch | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) {
      if (before[at] === values[at]) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  if (right < 0) return undefined;
  const box = { left, top, width: right - left + 1, height: bottom - top + 1 };
  return { ...box, values: cropValues(before, width, box) };
}

/** Trims a patch to the smallest box in which it differs from the matte; empty if it changes nothing. */
export function trimPatch(patch: Patch, { width, values }: Matte): Patch {
  const { left, top } = patch;
  const trimmed = patchBetween(patch.values, { ...patch, values: cropValues(values, width, patch) });
  if (!trimmed) return { left, top, width: 0, height: 0, values: new Uint8Array() };
  return { ...trimmed, left: left + trimmed.left, top: top + trimmed.top };
}

/** Applies a patch in place and returns the patch that undoes it. */
export function applyPatch(matte: Matte, patch: Patch): Patch {
  const undone = { ...patch, values: cropValues(matte.values, matte.width, patch) };
  for (let y = 0; y < patch.height; y += 1)
    matte.values.set(
      patch.values.subarray(y * patch.width, (y + 1) * patch.width),
      (patch.top + y) * matte.width + patch.left,
    );
  return undone;
}

/** A part of a matte's values. */
export function cropValues(
  values: Uint8Array,
  stride: number,
  { left, top, width, height }: Box,
): Uint8Array<ArrayBuffer> {
  const part = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    part.set(values.subarray((top + y) * stride + left, (top + y) * stride + left + width), y * width);
  return part;
}

/** The bounding box of all visible pixels with a margin, clipped to the picture, like the server's crop. */
export function subjectBox({ width, height, values }: Matte, marginPercent: number): Box | undefined {
  const minAlpha = 0.05 * 255;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) {
      if ((values[at] as number) <= minAlpha) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  if (right < 0) return undefined;
  const by = Math.round((marginPercent / 100) * Math.max(right - left + 1, bottom - top + 1));
  const box = { left: Math.max(0, left - by), top: Math.max(0, top - by) };
  return {
    ...box,
    width: Math.min(width, right + 1 + by) - box.left,
    height: Math.min(height, bottom + 1 + by) - box.top,
  };
}
