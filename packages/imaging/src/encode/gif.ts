import type { Encoder } from "./encoder.ts";

/** GIF, moving where the picture moves. */
export const encodeGif: Encoder = async (image) => {
  const { data, info } = await image.gif().toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height, notes: [] };
};
