import sharp from "sharp";

/**
 * The loaders of libvips for the formats of `openSource`. libvips has many more (its own format, matrices, CSV, HDR
 * formats…). A stranger's bytes could reach the code of each, because libvips chooses by its own look at the file.
 */
const needed = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"];

/** Leaves libvips, for this whole process, with the loaders that are needed. */
export function blockOtherLoaders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: needed.map((name) => `VipsForeignLoad${name}`) });
}
