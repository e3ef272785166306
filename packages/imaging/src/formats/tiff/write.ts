import { quantizeSamples } from "@tintype/codecs/entropy";
import type { Sharp, TiffOptions } from "sharp";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { createSampleScorer } from "../../quality/sample.ts";
import { targetScore } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { chooseLossyOrLossless } from "../choose-lossy-or-lossless.ts";
import type { Encoder } from "../encoder.ts";
import { isSmallPicture } from "../ordered-encoder.ts";
import { quantizationStep, stepsUpTo } from "../quantization-step.ts";
import { reduceDepth } from "../reduce-depth.ts";

/** 72 pixels per inch in those per mm: TIFF has to state a density, and the picture's own is embedded later. */
export const usualDensity = 72 / 25.4;
const resolution = { xres: usualDensity, yres: usualDensity } as const;

/** Deflate, which all current readers support, with horizontal differencing (TIFF 6.0, 14). */
const deflated = { ...resolution, compression: "deflate", predictor: "horizontal" } as const satisfies TiffOptions;

/**
 * TIFF. Lossless without `minimizeBytes`. With it, the encoding is as lossy as the quality allows (lossless at 100):
 * quantized differences, which Deflate compresses well. Never JPEG-in-TIFF, which half of the programs that read TIFF
 * do not support.
 */
export const encodeTiff: Encoder = async (image, { quality, signal, minimizeBytes = false }) => {
  if (!minimizeBytes) {
    const { data, info } = await image.tiff(deflated).toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height, notes: [] };
  }
  const picture = await decodePicture(image);
  const { width, height } = picture;
  const { shallow, notes } = await reduceDepth(picture, quality);
  signal?.throwIfAborted();
  const quantized = shallow && quality < 100 ? quantizedTiffs(shallow, targetScore(quality)) : [];
  signal?.throwIfAborted();
  const isPhotograph = quantized.length > 0 && shallow && !looksDrawn(shallow) && !isBlackOnWhite(shallow);
  const forms = {
    // Quantizing can cost bytes: it breaks the runs of a halftone, and the repetitions of a smooth gradient.
    exact:
      isPhotograph && !isSmallPicture(picture) ? [shallow.open().tiff(deflated)] : losslessForms(shallow ?? picture),
    lossy: quantized.flatMap((image) => (isPhotograph ? [image.tiff(deflated)] : packings(image))),
  };
  const files = { exact: await writeAll(forms.exact), lossy: await writeAll(forms.lossy) };
  return { bytes: chooseLossyOrLossless(files, ({ length }) => length), width, height, notes };
};

async function writeAll(forms: readonly Sharp[]): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (const form of forms) files.push(await form.toBuffer());
  return files;
}

const plain = { ...resolution, compression: "deflate", predictor: "none" } as const satisfies TiffOptions;

/** The predictor suits photographs and gradients, no predictor suits drawings. */
const packings = (image: Sharp): Sharp[] => [image.clone().tiff(deflated), image.clone().tiff(plain)];

function losslessForms(picture: DecodedPicture): Sharp[] {
  const forms = packings(picture.open());
  return isBlackOnWhite(picture)
    ? [
        ...forms,
        picture.open().tiff({ ...resolution, compression: "ccittfax4", bitdepth: 1 }),
        picture.open().tiff({ ...plain, bitdepth: 1 }), // libtiff has no predictor for 1-bit samples
      ]
    : forms;
}

/** Bilevel, such as scanned text: 1 bit per sample is lossless. */
const isBlackOnWhite = ({ channels, data }: DecodedPicture) =>
  channels === 1 && data instanceof Uint8Array && data.every((sample) => sample === 0 || sample === 255);

/** Up to this many samples all finer steps are tried too: some give fewer bytes, and a lower quality never more. */
const maxSamplesForAll = 1e6;

/** The picture at the coarsest step that the target allows, and at finer ones; none if no step allows it. */
function quantizedTiffs(picture: DecodedPicture<Uint8Array>, target: number): Sharp[] {
  const step = quantizationStep(createSampleScorer(picture), { target, prediction: "left" });
  if (step === undefined) return [];
  const steps = picture.data.length <= maxSamplesForAll ? stepsUpTo(step) : [step];
  return steps.map((one) =>
    asDecodedPicture({ ...picture, data: quantizeSamples(picture, { step: one, prediction: "left" }) }).open(),
  );
}
