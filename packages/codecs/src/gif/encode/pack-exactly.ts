import type { Rectangle } from "../../raster/raster.ts";
import { createBounds, isEmpty, unite } from "../../raster/rectangle.ts";
import { bitsFor } from "./container.ts";
import { createExactSearch } from "./exact-search.ts";
import type { FrameSituation, PackedPixels, PackFrame } from "./frame-situation.ts";
import { createTryingEncoder } from "./lzw-encode.ts";
import { createPalette, type GifPalette } from "./palette.ts";

/** The changed pixels of a frame have more colours than a colour table holds. */
export class TooManyColours extends Error {
  override readonly name = "TooManyColours";
}

/** The share of changed pixels from which a second attempt, which draws unchanged pixels too, is worth its time. */
const busyShare = 0.25;

/**
 * Encodes frames losslessly (GIF89a, 22 and appendix F).
 * @throws TooManyColours from the function it returns
 */
export function createExactPacking(sharedPalette: GifPalette | undefined): PackFrame {
  const encode = createTryingEncoder();
  return (situation) => {
    const rectangle = unite(changedBounds(situation), situation.mustHold);
    if (isEmpty(rectangle)) return undefined;
    const palette = choosePalette(situation, rectangle, sharedPalette);
    const { wanted, leavable, highestIndex, changedCount } = listChoices(situation, rectangle, palette);
    const rootBits = Math.max(2, bitsFor(highestIndex + 1));
    const pack = (): PackedPixels => {
      const indices = new Uint8Array(wanted.length);
      const { transparentIndex } = palette;
      const search = createExactSearch({ wanted, leavable, transparentIndex });
      const data = encode({ pixelCount: wanted.length, rootBits, search, indices });
      return { rectangle, palette, isLeaving: indices.includes(transparentIndex), rootBits, data, indices };
    };
    const leaving = pack();
    if (!leaving.isLeaving || changedCount < wanted.length * busyShare) return leaving;
    // Redrawing unchanged pixels can extend the strings of changed pixels beside them.
    for (let at = 0; at < leavable.length; at++) if (leavable[at] === 1) leavable[at] = 0;
    return smaller(leaving, pack());
  };
}

const smaller = (first: PackedPixels, second: PackedPixels): PackedPixels =>
  second.data.length < first.data.length ? second : first;

function changedBounds({ canvasWidth, target, base, area }: FrameSituation): Rectangle {
  const bounds = createBounds();
  for (let y = area.top; y < area.top + area.height; y++)
    for (let x = area.left, at = y * canvasWidth + x; x < area.left + area.width; x++, at++)
      if (target[at] !== base[at]) bounds.add(x, y);
  return bounds.rectangle();
}

/** The shared palette if it has the colours of all changed pixels; otherwise a local one. */
function choosePalette(
  { canvasWidth, target, base }: FrameSituation,
  { left, top, width, height }: Rectangle,
  shared: GifPalette | undefined,
): GifPalette {
  const changed = new Set<number>();
  const unchanged = new Set<number>();
  let lastColour = -1;
  let wasChanged = false;
  for (let y = top; y < top + height; y++)
    for (let at = y * canvasWidth + left, end = at + width; at < end; at++) {
      const colour = target[at] as number;
      const isChanged = colour !== base[at];
      if (colour === lastColour && isChanged === wasChanged) continue;
      lastColour = colour;
      wasChanged = isChanged;
      if (isChanged) changed.add(colour);
      else unchanged.add(colour);
    }
  const isComplete = everyOneOf(unchanged, (colour) => changed.has(colour));
  const isShared = shared && everyOneOf(changed, (colour) => shared.index.find(colour) >= 0);
  if (isShared && (shared.transparentIndex >= 0 || isComplete)) return shared;
  if (changed.size <= 255) return createPalette([...changed], unchanged.size > 0);
  if (changed.size === 256 && isComplete) return createPalette([...changed], false);
  throw new TooManyColours();
}

const everyOneOf = (colours: Set<number>, holds: (colour: number) => boolean) => [...colours].every(holds);

function listChoices(
  { canvasWidth, target, base }: FrameSituation,
  { left, top, width, height }: Rectangle,
  { index, transparentIndex }: GifPalette,
) {
  const wanted = new Uint8Array(width * height);
  const leavable = new Uint8Array(width * height);
  let highestIndex = Math.max(transparentIndex, 0);
  let changedCount = 0;
  for (let y = top, pixel = 0; y < top + height; y++)
    for (let at = y * canvasWidth + left, end = at + width; at < end; at++, pixel++)
      if (target[at] !== base[at]) {
        const colour = index.find(target[at] as number);
        wanted[pixel] = colour;
        if (colour > highestIndex) highestIndex = colour;
        changedCount++;
      }
  for (let y = top, pixel = 0; y < top + height; y++)
    for (let at = y * canvasWidth + left, end = at + width; at < end; at++, pixel++)
      if (target[at] === base[at]) {
        const colour = target[at] === 0 ? -1 : index.find(target[at] as number);
        // A higher index than those of the changed pixels could need a larger LZW code size.
        const isDrawable = colour >= 0 && colour <= highestIndex;
        wanted[pixel] = isDrawable ? colour : 0;
        leavable[pixel] = transparentIndex < 0 ? 0 : isDrawable ? 1 : 2;
      }
  return { wanted, leavable, highestIndex, changedCount };
}
