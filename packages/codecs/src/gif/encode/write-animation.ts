import type { Rectangle } from "../../raster/raster.ts";
import { emptyRectangle, unite } from "../../raster/rectangle.ts";
import { type Animation, canJoin, clearRectangle, copyRectangle } from "../play.ts";
import { createGifWriter } from "./container.ts";
import type { PackedPixels, PackFrame } from "./frame-situation.ts";
import { packCodes } from "./lzw-pack.ts";
import { createPalette, type GifPalette } from "./palette.ts";
import { planDisposal } from "./plan-disposal.ts";

export type WriteOptions = {
  packFrame: PackFrame;
  /** The global colour table. */
  sharedPalette: GifPalette | undefined;
  /** Awaited before each frame. Throws to stop. */
  beforeFrame(): Promise<void>;
};

/** The state that the previously written frame leaves behind. */
type Left = { isBaseShown: boolean; rectangle: Rectangle; delayCs: number };

/**
 * Writes an animation as GIF89a. Identical consecutive frames are merged. A frame's disposal method is chosen by the
 * frame after it. Memory holds four canvases, and a fifth for frames with disposal "restore".
 */
export async function writeAnimation(animation: Animation, options: WriteOptions): Promise<Uint8Array> {
  const { width, height } = animation;
  const { packFrame, sharedPalette, beforeFrame } = options;
  const writer = createGifWriter({ ...animation, globalPalette: sharedPalette });
  const newCanvas = () => new Uint32Array(width * height);
  const canvases: Canvases = { previous: newCanvas(), target: newCanvas(), next: newCanvas() };
  const base = newCanvas();
  let saved: Uint32Array | undefined;
  let left: Left | undefined;

  for (const frame of lookAhead(animation, canvases)) {
    await beforeFrame();
    const isBaseShown = left?.isBaseShown ?? true;
    const area = left && !isBaseShown ? unite(frame.dirty, left.rectangle) : frame.dirty;
    const { disposal, mustHold } = plan(frame, area);
    const { previous, target } = canvases;
    const surroundings = { canvasWidth: width, canvasHeight: height, previous, target, base };
    const packed = packFrame({ ...surroundings, isBaseShown, area, mustHold });
    if (!packed && left?.isBaseShown && canJoin(left.delayCs, frame.delayCs)) {
      writer.prolong(frame.delayCs);
      left.delayCs += frame.delayCs;
      continue;
    }
    const { palette, rectangle, isLeaving, ...pixels } = packed ?? packNothing(sharedPalette);
    writer.add({
      ...pixels,
      rectangle,
      disposal,
      delayCs: frame.delayCs,
      localPalette: palette === sharedPalette ? undefined : palette,
      // Some decoders start with, or clear to, the background colour unless the frame has a transparent index.
      transparentIndex: isLeaving || disposal === "clear" || !left ? palette.transparentIndex : -1,
    });
    if (disposal === "restore") {
      saved ??= newCanvas();
      copyRectangle(saved, base, rectangle, width);
    }
    if (packed) draw(packed);
    if (disposal === "clear") clearRectangle(base, rectangle, width);
    if (disposal === "restore" && saved) copyRectangle(base, saved, rectangle, width);
    left = { isBaseShown: disposal === "keep", rectangle, delayCs: frame.delayCs };
  }

  function plan({ following, isTemporary }: PlannedFrame, drawn: Rectangle) {
    if (!following) return { disposal: "keep", mustHold: emptyRectangle } as const;
    const { target, next } = canvases;
    return planDisposal({ canvasWidth: width, base, target, next, drawn, dirty: following, isTemporary });
  }

  function draw({ rectangle, palette, indices }: PackedPixels): void {
    let pixel = 0;
    for (let y = rectangle.top; y < rectangle.top + rectangle.height; y++)
      for (let at = y * width + rectangle.left, end = at + rectangle.width; at < end; at++, pixel++) {
        const index = indices[pixel] as number;
        if (index !== palette.transparentIndex) base[at] = palette.colours[index] as number;
      }
  }
  return writer.finish();
}

/** A frame of one transparent pixel, for a frame without visible change that cannot be merged with the one before. */
function packNothing(shared: GifPalette | undefined): PackedPixels {
  const palette = shared && shared.transparentIndex >= 0 ? shared : createPalette([], true);
  const rootBits = 2;
  const indices = Uint8Array.of(palette.transparentIndex);
  const data = packCodes(Uint16Array.from(indices), rootBits);
  return { rectangle: { left: 0, top: 0, width: 1, height: 1 }, palette, isLeaving: true, rootBits, data, indices };
}

/** Canvases of packed colours (see `packColour`): the previous frame, the frame itself, the next frame. */
export type Canvases = { previous: Uint32Array; target: Uint32Array; next: Uint32Array };

/** A frame with a look-ahead of one. */
type PlannedFrame = {
  delayCs: number;
  /** The area in which target and previous may differ. */
  dirty: Rectangle;
  /** The area in which next and target may differ; undefined for the last frame. */
  following: Rectangle | undefined;
  isTemporary: boolean;
};

/** Renders an animation with a look-ahead of one frame, and updates the three canvases. Merges identical frames. */
function* lookAhead(animation: Animation, { previous, target, next }: Canvases): Generator<PlannedFrame> {
  let current: Omit<PlannedFrame, "following"> | undefined;
  for (const { pixels, delayCs, dirty, isTemporary } of animation.frames()) {
    copyRectangle(next, pixels, dirty, animation.width);
    if (current) {
      if (canJoin(current.delayCs, delayCs) && isSame(next, target, dirty, animation.width)) {
        current = { ...current, delayCs: current.delayCs + delayCs, isTemporary };
        continue;
      }
      yield { ...current, following: dirty };
      copyRectangle(previous, target, current.dirty, animation.width);
    }
    copyRectangle(target, next, dirty, animation.width);
    current = { delayCs, dirty, isTemporary };
  }
  if (current) yield { ...current, following: undefined };
}

function isSame(first: Uint32Array, second: Uint32Array, area: Rectangle, canvasWidth: number): boolean {
  for (let y = area.top; y < area.top + area.height; y++)
    for (let at = y * canvasWidth + area.left, end = at + area.width; at < end; at++)
      if (first[at] !== second[at]) return false;
  return true;
}
