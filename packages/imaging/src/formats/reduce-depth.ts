import { depthOf } from "@tintype/codecs/raster";
import type { Note } from "@tintype/contract";
import { type DecodedPicture, decodePicture } from "../raster/decoded-picture.ts";

/** From this quality on, 16 bits per channel are kept. They are encoded losslessly only, in three times the bytes. */
export const deepFrom = 90;

/** A picture with 8 bits per channel. */
export type Shallow = DecodedPicture<Uint8Array>;
const isShallow = (picture: DecodedPicture): picture is Shallow => depthOf(picture.data) === 8;

/**
 * Reduces a picture to 8 bits per channel below a quality of `deepFrom`; otherwise `shallow` is undefined. `notes`: the
 * loss.
 */
export async function reduceDepth(
  picture: DecodedPicture,
  quality: number,
): Promise<{ shallow: Shallow | undefined; notes: Note[] }> {
  if (isShallow(picture)) return { shallow: picture, notes: [] };
  if (quality >= deepFrom) return { shallow: undefined, notes: [] };
  const shallow = await decodePicture(picture.open().toColourspace(picture.channels < 3 ? "b-w" : "srgb"));
  if (!isShallow(shallow)) throw new Error("A picture asked for in 8 bits came in 16");
  return { shallow, notes: [{ code: "depth-reduced-by-quality", below: deepFrom }] };
}
