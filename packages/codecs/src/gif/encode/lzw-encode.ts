import { packCodes } from "./lzw-pack.ts";
import { addCode, createWalk, isFull, type LzwPicture, type LzwWalk, renew, startWalk, takeStep } from "./lzw-walk.ts";

/**
 * Encodes the image data of frames (GIF89a, 22 and appendix F). Reuses its dictionaries: allocating one costs more than
 * a small frame.
 */
export type LzwEncoder = (picture: LzwPicture) => Uint8Array;

/** Codes between two checks of a full dictionary. 64 to 256 measured the same, 512 worse. */
const windowCodes = 64;
/** A clear code is sent once a window covers less than this share of the best window's pixels. */
const fadingRatio = 0.9;

/** An encoder for searches with state. It clears a full dictionary once its compression ratio declines. */
export function createWatchfulEncoder(): LzwEncoder {
  const walk = createWalk();
  return (picture) => {
    const { pixelCount, rootBits } = picture;
    startWalk(walk, rootBits, 0);
    let bestPixels = 0;
    while (walk.position < pixelCount) {
      if (!isFull(walk)) {
        takeStep(walk, picture);
        continue;
      }
      const start = walk.position;
      for (let step = 0; step < windowCodes && walk.position < pixelCount; step++) takeStep(walk, picture);
      const pixels = walk.position - start;
      if (pixels >= bestPixels * fadingRatio) {
        bestPixels = Math.max(bestPixels, pixels);
        continue;
      }
      renew(walk, rootBits);
      bestPixels = 0;
    }
    return packCodes(walk.codes.subarray(0, walk.codeCount), rootBits);
  };
}

/** Codes over which the full dictionary is compared with a cleared one. 256 to 4000 were tried. */
const trialCodes = 1024;
/**
 * A cleared dictionary wins up to this factor of the bits in the trial, because it is still growing. 1 to 1.3 were
 * tried.
 */
const trialBonus = 1.1;

/**
 * An encoder for stateless searches. While the dictionary is full, it tests whether a cleared one would take fewer bits
 * for the pixels ahead: 1 to 2 % smaller than `createWatchfulEncoder`, in up to twice the time.
 */
export function createTryingEncoder(): LzwEncoder {
  let walk = createWalk();
  let trial = createWalk();
  return (picture) => {
    const { pixelCount, rootBits } = picture;
    const trialPicture = { ...picture, indices: new Uint8Array(pixelCount) };
    startWalk(walk, rootBits, 0);
    while (walk.position < pixelCount) {
      if (!isFull(walk)) {
        takeStep(walk, picture);
        continue;
      }
      const { position: start, codeCount } = walk;
      let bits = 0;
      for (let step = 0; step < trialCodes && walk.position < pixelCount; step++) bits += takeStep(walk, picture);
      startWalk(trial, rootBits, start);
      let trialBits = 12;
      while (trial.position < walk.position) trialBits += takeStep(trial, trialPicture);
      // The trial's last string may extend further: compare bits per pixel.
      if (trialBits * (walk.position - start) >= bits * trialBonus * (trial.position - start)) continue;
      walk.codeCount = codeCount;
      picture.indices.set(trialPicture.indices.subarray(start, trial.position), start);
      [walk, trial] = [continueWith(walk, trial), walk];
    }
    return packCodes(walk.codes.subarray(0, walk.codeCount), rootBits);
  };
}

/** The trial's state, with its codes appended to those written before it and a clear code. */
function continueWith(walk: LzwWalk, trial: LzwWalk): LzwWalk {
  const { codes, codeCount, ...state } = trial;
  const continued = { ...state, codes: walk.codes, codeCount: walk.codeCount };
  addCode(continued, trial.dictionary.clearCode);
  for (let at = 0; at < codeCount; at++) addCode(continued, codes[at] as number);
  walk.codes = codes;
  return continued;
}
