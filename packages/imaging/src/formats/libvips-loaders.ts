import sharp from "sharp";

/**
 * libvips' loaders for what `openSource` hands it. It has many more (its own format, matrices, CSV, HDR formats…), each
 * of them code that a stranger's bytes could reach, and it picks one by its own look at the file.
 */
const needed = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"];

/** Leaves libvips, for this whole process, with the loaders that are needed. */
export function blockOtherLoaders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: needed.map((name) => `VipsForeignLoad${name}`) });
}
