import type { Rectangle } from "../../raster/raster.ts";
import { createBounds, isEmpty, unite } from "../../raster/rectangle.ts";
import type { ColourCosts, ColourTables } from "./colour-costs.ts";
import { colourDistance, lumaOf } from "./colour-distance.ts";
import { bitsFor } from "./container.ts";
import { driftMemory } from "./drift.ts";
import type { FrameSituation, PackFrame } from "./frame-situation.ts";
import { createWatchfulEncoder } from "./lzw-encode.ts";
import { leaveOnly, type Tolerance } from "./tolerant-choices.ts";
import { createTolerantSearch, driftWeight } from "./tolerant-search.ts";

/** The number of activity levels. */
const activityLevels = 64;

/** Activity masking: the weight of an error by activity, highest in flat areas, constant from level 16 on. */
const weights = Float32Array.from({ length: activityLevels }, (_, level) => 1 / (0.5 + 0.2 * Math.min(level, 16)));

/** Encodes frames lossily, within a tolerance. */
export function createTolerantPacking(
  tolerance: Tolerance,
  choosePalette: (situation: FrameSituation, rectangle: Rectangle) => ColourCosts,
): PackFrame {
  const encode = createWatchfulEncoder();
  return (situation) => {
    const rectangle = unite(visiblyChangedBounds(situation, tolerance), situation.mustHold);
    if (isEmpty(rectangle)) return undefined;
    const costs = choosePalette(situation, rectangle);
    const { palette } = costs;
    const { highestIndex, ...choices } = listChoices(situation, rectangle, costs);
    const indices = new Uint8Array(choices.rows.length);
    const { transparentIndex } = palette;
    const search = createTolerantSearch(
      {
        width: rectangle.width,
        ...choices,
        colours: costs.tables(),
        transparentIndex,
        activity: measureActivity(situation.target, situation, rectangle),
        weights,
        tolerance,
      },
      indices,
    );
    const rootBits = Math.max(2, bitsFor(highestIndex + 1));
    const data = encode({ pixelCount: indices.length, rootBits, search, indices });
    return { rectangle, palette, isLeaving: indices.includes(transparentIndex), rootBits, data, indices };
  };
}

/**
 * The bounding rectangle of the pixels that exceed the tolerance, by their own error or by drift: a small error all
 * over an area is visible where the same error of a single pixel is not.
 */
function visiblyChangedBounds(situation: FrameSituation, { limit }: Tolerance): Rectangle {
  const { canvasWidth, target, base, previous, isBaseShown, area } = situation;
  const bounds = createBounds();
  if (isEmpty(area)) return area;
  const activity = measureActivity(target, situation, area);
  const driftAbove = new Float32Array(area.width);
  for (let y = area.top, pixel = 0; y < area.top + area.height; y++) {
    let drift = 0;
    for (let column = 0, at = y * canvasWidth + area.left; column < area.width; column++, at++, pixel++) {
      const wanted = target[at] as number;
      const shown = base[at] as number;
      drift = driftMemory * (drift + (driftAbove[column] as number));
      // A pixel that has not changed since it was drawn was within the tolerance then.
      if (wanted !== shown && !(isBaseShown && wanted === previous[at])) {
        const weight = weights[activity[pixel] as number] as number;
        drift += lumaOf(wanted) - lumaOf(shown);
        const error = colourDistance(wanted, shown) + driftWeight * drift * drift;
        if (shown === 0 || error * weight > limit) bounds.add(area.left + column, y);
      }
      driftAbove[column] = drift;
    }
  }
  return bounds.rectangle();
}

function listChoices(situation: FrameSituation, { left, top, width, height }: Rectangle, costs: ColourCosts) {
  const { canvasWidth, target, base, previous, isBaseShown } = situation;
  const { index } = costs.palette;
  const rows = new Uint16Array(width * height);
  let lastColour = 0;
  let lastRow = leaveOnly;
  for (let y = top, pixel = 0; y < top + height; y++)
    for (let at = y * canvasWidth + left, end = at + width; at < end; at++, pixel++) {
      const wanted = target[at] as number;
      const isShown = wanted === base[at] || (isBaseShown && wanted === previous[at]);
      if (wanted === 0 || (isShown && index.find(wanted) < 0)) {
        rows[pixel] = leaveOnly;
        continue;
      }
      if (wanted !== lastColour) {
        lastColour = wanted;
        lastRow = costs.rowOf(wanted);
      }
      rows[pixel] = lastRow;
    }
  return { rows, ...weighLeaving(situation, { left, top, width, height }, rows, costs.tables()) };
}

function weighLeaving(
  { canvasWidth, target, base }: FrameSituation,
  { left, top, width, height }: Rectangle,
  rows: Uint16Array,
  { floor, nearest }: ColourTables,
) {
  const leaveCosts = new Float32Array(width * height);
  const wantedColours = new Uint32Array(width * height);
  const shownColours = new Uint32Array(width * height);
  let highestIndex = 0;
  for (let y = top, pixel = 0; y < top + height; y++)
    for (let at = y * canvasWidth + left, end = at + width; at < end; at++, pixel++) {
      const wanted = target[at] as number;
      const shown = base[at] as number;
      const row = rows[pixel] as number;
      wantedColours[pixel] = wanted;
      shownColours[pixel] = shown;
      if (row !== leaveOnly) highestIndex = Math.max(highestIndex, nearest[row * 256] as number);
      if (wanted === shown) continue;
      if (shown === 0) {
        leaveCosts[pixel] = Number.POSITIVE_INFINITY;
        continue;
      }
      if (row !== leaveOnly) leaveCosts[pixel] = Math.max(0, colourDistance(wanted, shown) - (floor[row] as number));
    }
  return { leaveCosts, wantedColours, shownColours, highestIndex };
}

/**
 * The activity around each pixel of `rectangle`: the mean absolute difference of its luma (0..255) to its four
 * neighbours, clamped to the top level. [width * height]. Edge pixels of the canvas are replicated.
 */
function measureActivity(
  pixels: Uint32Array,
  canvas: { canvasWidth: number; canvasHeight: number },
  { left, top, width, height }: Rectangle,
): Uint8Array {
  const { canvasWidth, canvasHeight } = canvas;
  const activity = new Uint8Array(width * height);
  // The luma of a row, with one more pixel on each side.
  const readRow = (y: number, row: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
    const start = Math.min(Math.max(y, 0), canvasHeight - 1) * canvasWidth;
    for (let column = -1; column <= width; column++)
      row[column + 1] = lumaOf(pixels[start + Math.min(Math.max(left + column, 0), canvasWidth - 1)] as number);
    return row;
  };
  let above = readRow(top - 1, new Float32Array(width + 2));
  let here = readRow(top, new Float32Array(width + 2));
  let below = new Float32Array(width + 2);
  for (let row = 0; row < height; row++) {
    below = readRow(top + row + 1, below);
    for (let x = 1, at = row * width; x <= width; x++, at++) {
      const luma = here[x] as number;
      const difference =
        Math.abs(luma - (here[x - 1] as number)) +
        Math.abs(luma - (here[x + 1] as number)) +
        Math.abs(luma - (above[x] as number)) +
        Math.abs(luma - (below[x] as number));
      activity[at] = Math.min(difference >> 2, activityLevels - 1);
    }
    [above, here, below] = [here, below, above];
  }
  return activity;
}
