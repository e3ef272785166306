import type { TaskOptions } from "@tintype/contract";
import type { PixelWindow } from "../../resample/window.ts";

type Size = { width: number; height: number };

/** Which part of the picture the result shows, and how large the result is, px. */
export type Geometry = Size & { window: PixelWindow };

/**
 * fit: the whole picture as large as the box allows, also beyond its own size. fill: the box, and the largest centred
 * part of the picture with the box's ratio. stretch: the box, and the whole picture. A blank side follows from the
 * ratio, with any method. Sides are rounded to the nearest pixel and at least 1.
 */
export function resizeGeometry(picture: Size, { width, height, percent, method }: TaskOptions<"resize">): Geometry {
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  if (percent !== undefined && width === undefined && height === undefined)
    return {
      width: side((picture.width * percent) / 100),
      height: side((picture.height * percent) / 100),
      window: whole,
    };
  const heightFor = (wanted: number) => side((picture.height * wanted) / picture.width);
  const widthFor = (wanted: number) => side((picture.width * wanted) / picture.height);
  if (height === undefined)
    return { width: width ?? picture.width, height: heightFor(width ?? picture.width), window: whole };
  if (width === undefined) return { width: widthFor(height), height, window: whole };
  if (method === "stretch") return { width, height, window: whole };
  // Products of whole numbers: equal ratios compare as equal.
  const isBoxFlatter = width * picture.height >= height * picture.width;
  if (method === "fit") {
    if (isBoxFlatter) return { width: Math.min(width, widthFor(height)), height, window: whole };
    return { width, height: Math.min(height, heightFor(width)), window: whole };
  }
  const shownWidth = isBoxFlatter ? picture.width : (picture.height * width) / height;
  const shownHeight = isBoxFlatter ? (picture.width * height) / width : picture.height;
  const window = {
    left: (picture.width - shownWidth) / 2,
    top: (picture.height - shownHeight) / 2,
    width: shownWidth,
    height: shownHeight,
  };
  return { width, height, window };
}

const side = (exact: number) => Math.max(1, Math.round(exact));
