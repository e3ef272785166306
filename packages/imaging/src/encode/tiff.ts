import type { Encoder } from "./encoder.ts";

/** TIFF. */
export const encodeTiff: Encoder = async (image) => {
  const { data, info } = await image.tiff({ compression: "deflate" }).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height, notes: [] };
};
