import { bytesOf, depthOf } from "@tintype/codecs/raster";
import { DomainError, type Note } from "@tintype/contract";
import { straightAlpha, tiffHeadFor } from "../../raster/tiff-head.ts";
import type { PictureLimits } from "../../task.ts";
import { decodeInThread } from "../decoder-thread.ts";
import { checkPixels, refusePixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { photometrics } from "../tiff/layout.ts";
import { assemble } from "./assemble.ts";
import { type Codestream, countPoints, countSamples, readCodestream } from "./codestream.ts";
import { readJp2 } from "./container.ts";
import { channelsOf, type Jp2ColourSpace, planChannels } from "./plan.ts";
import { orientationOf } from "./uuid-boxes.ts";

/** Opens the first picture of a JPEG 2000 file at its own bit depth. */
export async function openJp2({ file, limits }: FileOpenOptions): Promise<Source> {
  const bytes = await file.bytes();
  const jp2 = readJp2(bytes);
  const size = readCodestream(jp2.codestream);
  const plan = planChannels(jp2, size);
  const channels = channelsOf(plan);
  checkSize(size, plan.size, limits);
  const planes = await decodeInThread({
    decoder: "jp2",
    bytes: jp2.codestream,
    options: { size: { ...size, comments: [] }, wanted: channels.map(({ component }) => component) },
  });
  const data = assemble(planes, { palette: jp2.palette, size, plan });
  const head = tiffHeadFor({
    ...plan.size,
    channels: channels.length,
    depth: depthOf(data),
    photometric: photometricOf[plan.space],
    extraSample: plan.alpha ? straightAlpha : undefined,
    profile: plan.profile,
    orientation: orientationOf(bytes),
  });
  const notes: Note[] = [
    ...(jp2.pictures > 1 ? [{ code: "first-picture-kept", pictures: jp2.pictures } as const] : []),
    ...plan.notes,
  ];
  const source = await openWithLibvips({
    file,
    format: "jp2",
    limits,
    notes,
    input: Buffer.concat([head, bytesOf(data)]),
  });
  return { ...source, pages: jp2.pictures };
}

const photometricOf = {
  grey: photometrics.blackIsZero,
  rgb: photometrics.rgb,
  ycc: photometrics.rgb,
  cmyk: photometrics.cmyk,
} as const satisfies Record<Jp2ColourSpace, number>;

/** OpenJPEG needs about 8 bytes per sample, and has 2 GiB. */
const maxSamples = 200e6;
/** Colours, alpha and one more channel, for a picture as large as the plan allows. */
const samplesPerPixel = 5;
const maxComponents = 16;
/** Reference grid points per pixel: subsampling of 4 in each direction. */
const maxPointsPerPixel = 16;

function checkSize(size: Codestream, picture: { width: number; height: number }, limits: PictureLimits): void {
  checkPixels(picture, limits);
  const samples = countSamples(size);
  const sampleLimit = Math.min(maxSamples, limits.megapixelsIn * 1e6 * samplesPerPixel);
  const channels = size.components.length;
  if (channels > maxComponents)
    throw new DomainError("cannot-process", { reason: { code: "jp2-channels", channels, limit: maxComponents } });
  if (samples > sampleLimit)
    refusePixels({
      code: "jp2-samples",
      limitMillions: sampleLimit / 1e6,
      millions: Math.ceil(samples / 1e6),
      channels,
    });
  // The decoder allocates all points of the reference grid.
  if (countPoints(size) > Math.min(sampleLimit, picture.width * picture.height * maxPointsPerPixel))
    throw new DomainError("cannot-process", { reason: { code: "jp2-points" } });
}
