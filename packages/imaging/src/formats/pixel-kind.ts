import { DomainError } from "@tintype/contract";
import type { Metadata } from "sharp";
import type { Source } from "./source.ts";

/** Channels that a picture can have at most, alpha among them, by its colour space. */
const mostChannels: Partial<Record<Metadata["space"], number>> = {
  "b-w": 2,
  grey16: 2,
  srgb: 4,
  rgb: 4,
  rgb16: 4,
  scrgb: 4,
  lab: 4,
  labs: 4,
  cmyk: 5,
};

/**
 * The kind of pixels that the header describes.
 * @throws cannot-process for numbers without a known white: 32 bit integers and grey in floating point, as instruments
 * write them, would become black; and for channels beyond colour and alpha
 */
export function kindOfPixels({
  space,
  depth,
  channels,
  hasProfile,
}: Pick<Metadata, "space" | "depth" | "hasProfile"> & { channels: number }): Pick<
  Source,
  "isGrey" | "hasProfile" | "depth"
> {
  const isFloatingColour = depth === "float" && (space === "scrgb" || space === "lab");
  if (depth !== "uchar" && depth !== "ushort" && !isFloatingColour && space !== "labs")
    throw new DomainError("cannot-process", {
      detail: `This picture is made of numbers of the kind "${depth}", which have no known white; 8 and 16 bits are worked on.`,
    });
  if (channels > (mostChannels[space] ?? 0))
    throw new DomainError("cannot-process", {
      detail: `This picture has ${channels} channels; colour and transparency are worked on.`,
    });
  return {
    isGrey: space === "b-w" || space === "grey16",
    // A profile of CMYK or Lab ends with its conversion to sRGB.
    hasProfile: hasProfile && /^(srgb|rgb|rgb16|b-w|grey16)$/.test(space),
    depth: depth === "ushort" && space !== "cmyk" ? 16 : 8,
  };
}
