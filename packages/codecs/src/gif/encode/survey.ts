import type { Animation, ShownFrame } from "../play.ts";
import { createColourIndex } from "./colour-index.ts";

/** Statistics of the colours of an animation, over the pixels that change from frame to frame. */
export type ColourSurvey = {
  colours: Uint32Array;
  /** By colour number: the pixels that changed to the colour, over all frames. */
  areas: Float64Array;
  /** By colour number: the frames in which a pixel changed to the colour. */
  frameUses: Float64Array;
  /** Colour numbers for the global colour table: those of each frame, in order, whose new colours all still fit. */
  shared: number[];
  /** Whether a pixel of any rendered frame is transparent. */
  hasTransparency: boolean;
};

/** 256 entries of a colour table, less the transparent one. */
export const sharedColours = 255;

/** Surveys all frames in one pass. Awaits `beforeFrame` before each. */
export async function surveyColours(animation: Animation, beforeFrame: () => Promise<void>): Promise<ColourSurvey> {
  const index = createColourIndex(1024);
  const previous = new Uint32Array(animation.width * animation.height);
  const areas: number[] = [];
  const frameUses: number[] = [];
  const lastFrame: number[] = [];
  const isShared: boolean[] = [];
  const shared: number[] = [];
  let hasTransparency = false;
  let frameNumber = 0;

  const surveyFrame = ({ pixels, dirty }: ShownFrame): void => {
    const used: number[] = [];
    let lastColour = 0;
    let lastNumber = -1;
    for (let row = dirty.top; row < dirty.top + dirty.height; row++) {
      const start = row * animation.width + dirty.left;
      for (let at = start; at < start + dirty.width; at++) {
        const colour = pixels[at] as number;
        if (colour === previous[at]) {
          if (colour === 0) hasTransparency = true;
          continue;
        }
        previous[at] = colour;
        if (colour === 0) {
          hasTransparency = true;
          continue;
        }
        if (colour !== lastColour) {
          lastColour = colour;
          lastNumber = index.add(colour);
          if (lastFrame[lastNumber] !== frameNumber) {
            lastFrame[lastNumber] = frameNumber;
            frameUses[lastNumber] = (frameUses[lastNumber] ?? 0) + 1;
            used.push(lastNumber);
          }
        }
        areas[lastNumber] = (areas[lastNumber] ?? 0) + 1;
      }
    }
    const missing = used.filter((number) => !isShared[number]);
    if (shared.length + missing.length <= sharedColours)
      for (const number of missing) {
        isShared[number] = true;
        shared.push(number);
      }
  };

  for (const frame of animation.frames()) {
    await beforeFrame();
    // Pixels that the first frame does not cover are transparent.
    if (frameNumber === 0 && frame.dirty.width * frame.dirty.height < frame.pixels.length) hasTransparency = true;
    surveyFrame(frame);
    frameNumber++;
  }
  return {
    colours: index.colours().slice(),
    areas: Float64Array.from(areas),
    frameUses: Float64Array.from(frameUses),
    shared,
    hasTransparency,
  };
}
