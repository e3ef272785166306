import sharp, { type Sharp, type TiffOptions } from "sharp";
import { inColour } from "../../colour/in-colour.ts";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { sampleOf } from "../../quality/sample.ts";
import { likenessAt } from "../../quality/scale.ts";
import { likenessTo } from "../../quality/score/ssimulacra2.ts";
import { type Held, holdPixels } from "../../raster/held.ts";
import { tiffHead } from "../../raster/tiff-head.ts";
import type { Encoder } from "../encoder.ts";
import { bendingStep } from "../png/quantize.ts";
import { bendSamples } from "../quantize-samples.ts";
import { shallowFor } from "../reduce-depth.ts";

/** Deflate, which every reader of today knows; the predictor stores differences to the pixel on the left. */
const deflated = { compression: "deflate", predictor: "horizontal" } as const satisfies TiffOptions;

/**
 * TIFF. Without `squeeze` nothing is lost. With it, as much as the quality allows (nothing at 100): small errors that make
 * differences repeat, which deflate packs. Never JPEG inside a TIFF, which half of the programs that take TIFF do not read.
 */
export const encodeTiff: Encoder = async (image, { quality, signal, squeeze = false }) => {
  if (!squeeze) {
    const { data, info } = await image.tiff(deflated).toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height, notes: [] };
  }
  const held = await holdPixels(image);
  const { width, height } = held;
  const { shallow, notes } = await shallowFor(held, quality);
  signal?.throwIfAborted();
  const bent = shallow && quality < 100 ? bentTiff(shallow, likenessAt(quality)) : undefined;
  signal?.throwIfAborted();
  const forms = [
    ...(bent ? [bent.tiff(deflated)] : []),
    // Of a photograph the whole is never smaller than a part.
    ...(bent && shallow && !looksDrawn(shallow) ? [] : losslessForms(shallow ?? held)),
  ];
  const files: Buffer[] = [];
  for (const form of forms) files.push(await form.toBuffer());
  return { bytes: files.reduce((a, b) => (b.length < a.length ? b : a)), width, height, notes };
};

function losslessForms(held: Held): Sharp[] {
  const forms = [held.open().tiff(deflated), held.open().tiff({ ...deflated, predictor: "none" })];
  return isBlackOnWhite(held)
    ? [
        ...forms,
        held.open().tiff({ compression: "ccittfax4", bitdepth: 1 }),
        held.open().tiff({ ...deflated, bitdepth: 1 }),
      ]
    : forms;
}

/** Scanned text: one bit a pixel holds it. */
const isBlackOnWhite = ({ channels, depth, samples }: Held) =>
  channels === 1 && depth === 8 && samples.every((sample: number) => sample === 0 || sample === 255);

function bentTiff(held: Extract<Held, { depth: 8 }>, target: number): Sharp | undefined {
  const samples = { ...held, data: held.samples };
  const sample = sampleOf(samples);
  const step = bendingStep({ sample, likeness: likenessTo(sample) }, { target, prediction: "left" });
  if (step === undefined) return undefined;
  const file = Buffer.concat([tiffHead(held), bendSamples(samples, { step, prediction: "left" })]);
  const colour = { isGrey: held.channels < 3, hasProfile: held.profile !== undefined, depth: held.depth };
  return inColour(sharp(file, { limitInputPixels: false }), colour);
}
