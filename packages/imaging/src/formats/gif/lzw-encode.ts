import { packCodes } from "./lzw-pack.ts";
import { addCode, createWalk, isFull, type LzwPicture, type LzwWalk, renew, startWalk, takeStep } from "./lzw-walk.ts";

/** Writes the data of GIF frames. Keeps its dictionaries between frames: making one costs more than a small frame. */
export type LzwEncoder = (picture: LzwPicture) => Uint8Array;

/** Codes after which a full dictionary is judged; 64 to 256 measured alike, 512 worse. */
const windowCodes = 64;
/** The dictionary is renewed once a window covers less than this share of the best window's pixels. */
const fadingRatio = 0.9;

/** For searches that keep a state of their own: renews a full dictionary once its strings reach less far. */
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

/** Codes that a full dictionary and a new one are compared over; 256 to 4000 tried. */
const trialCodes = 1024;
/** A new dictionary may take this factor more over the trial, because it still learns; 1 to 1.3 were tried. */
const trialBonus = 1.1;

/**
 * For searches that remember nothing: tries, whenever the dictionary is full, whether a new one would do better on the
 * pixels ahead. 1 to 2 % smaller than watching, at up to twice the time.
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
      // The trial's last string may reach further: count bits a pixel.
      if (trialBits * (walk.position - start) >= bits * trialBonus * (trial.position - start)) continue;
      walk.codeCount = codeCount;
      picture.indices.set(trialPicture.indices.subarray(start, trial.position), start);
      [walk, trial] = [continueWith(walk, trial), walk];
    }
    return packCodes(walk.codes.subarray(0, walk.codeCount), rootBits);
  };
}

/** The trial, after the codes written before it and the clear code that it began with. */
function continueWith(walk: LzwWalk, trial: LzwWalk): LzwWalk {
  const { codes, codeCount, ...state } = trial;
  const continued = { ...state, codes: walk.codes, codeCount: walk.codeCount };
  addCode(continued, trial.dictionary.clearCode);
  for (let at = 0; at < codeCount; at++) addCode(continued, codes[at] as number);
  walk.codes = codes;
  return continued;
}
