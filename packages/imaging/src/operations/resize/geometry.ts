import { type Rectangle, type Size, wholeOf } from "@tintype/codecs/raster";
import { DomainError, type InputFormat, paddingPx, sharesBefore, type TaskOptions } from "@tintype/contract";
import type { Sharp } from "sharp";
import { refusePixels } from "../../formats/limits.ts";
import type { Source } from "../../formats/open-source.ts";
import { maxDrawnPx } from "../../raster/broken-image.ts";
import type { PixelWindow } from "../../resample/window.ts";
import type { PictureLimits } from "../../task.ts";

/**
 * The part of the picture that the result shows, and the result's size, px. `placed`: where in the result that part
 * stands, if it is on a canvas.
 */
export type Geometry = Size & { window: PixelWindow; placed?: Rectangle };

type ResizeOptions = Pick<
  TaskOptions<"resize">,
  "width" | "height" | "percent" | "method" | "enlarge" | "canvas" | "position" | "padding" | "gravity"
>;

/** The share of what a crop cuts off that is to the left of and above what it keeps, 0..1. */
export type CropShares = ReturnType<typeof sharesBefore>;

/** As a gravity says; undefined for `smart`, which depends on the pixels (find-subject.ts). */
export const sharesOf = (gravity: ResizeOptions["gravity"]): CropShares | undefined =>
  gravity === "smart" ? undefined : sharesBefore(gravity ?? "centre");

/**
 * fit: the whole picture, as large as the box allows; with a canvas, on it. fill: the box, showing the largest part of
 * the picture with its ratio, by `shares`, which the gravity gives unless it is `smart`. stretch: the box, showing the
 * whole picture. A missing side follows from the ratio, with any method. Sides are rounded to the nearest pixel and at
 * least 1. Without `enlarge` no side of the result has more pixels than the part it shows; fit never enlarges by
 * default. An SVG is rendered, so its size is no limit.
 * @throws cannot-process if the padding leaves no room
 */
export function resizeGeometry(
  picture: Size & { format?: InputFormat },
  options: ResizeOptions,
  shares = sharesOf(options.gravity) ?? sharesBefore("centre"),
): Geometry {
  const { canvas, ...rest } = options;
  if (canvas !== undefined && options.width !== undefined && options.height !== undefined)
    return onCanvas(picture, rest, { width: options.width, height: options.height });
  const whole = wholeOf(picture);
  const { percent, method } = options;
  const mayEnlarge = picture.format === "svg" || (options.enlarge ?? (method !== "fit" || percent !== undefined));
  const bounds = mayEnlarge ? { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY } : picture;
  if (percent !== undefined) {
    const scale = Math.min(percent / 100, mayEnlarge ? Number.POSITIVE_INFINITY : 1);
    return { width: side(picture.width * scale), height: side(picture.height * scale), window: whole };
  }
  const width = options.width === undefined ? undefined : Math.min(options.width, bounds.width);
  const height = options.height === undefined ? undefined : Math.min(options.height, bounds.height);
  const heightFor = (wanted: number) => side((picture.height * wanted) / picture.width);
  const widthFor = (wanted: number) => side((picture.width * wanted) / picture.height);
  if (height === undefined)
    return { width: width ?? picture.width, height: heightFor(width ?? picture.width), window: whole };
  if (width === undefined) return { width: widthFor(height), height, window: whole };
  if (method === "stretch") return { width, height, window: whole };
  // Integer products: equal ratios compare as equal.
  if (method === "fit") {
    if (width * picture.height >= height * picture.width)
      return { width: Math.min(width, widthFor(height)), height, window: whole };
    return { width, height: Math.min(height, heightFor(width)), window: whole };
  }
  return filled(picture, { width: options.width ?? width, height: options.height ?? height }, { mayEnlarge, shares });
}

function onCanvas(picture: Size & { format?: InputFormat }, options: ResizeOptions, canvas: Size): Geometry {
  const padding = paddingPx(options.padding, canvas);
  const room = { width: canvas.width - 2 * padding, height: canvas.height - 2 * padding };
  if (Math.min(room.width, room.height) < 1)
    throw new DomainError("cannot-process", { field: "padding", reason: { code: "no-room-in-padding" } });
  const { window, ...size } = resizeGeometry(picture, { ...options, ...room });
  const { across, down } = sharesBefore(options.position ?? "centre");
  const left = padding + Math.round((room.width - size.width) * across);
  const top = padding + Math.round((room.height - size.height) * down);
  return { ...canvas, window, placed: { left, top, ...size } };
}

type Filling = { mayEnlarge: boolean; shares: CropShares };

function filled(picture: Size, box: Size, { mayEnlarge, shares }: Filling): Geometry {
  const isBoxFlatter = box.width * picture.height >= box.height * picture.width;
  const shown = {
    width: isBoxFlatter ? picture.width : (picture.height * box.width) / box.height,
    height: isBoxFlatter ? (picture.width * box.height) / box.width : picture.height,
  };
  // An unscaled part consists of whole pixels.
  const size = mayEnlarge || box.width <= shown.width ? box : { width: side(shown.width), height: side(shown.height) };
  const { width, height } = size === box ? shown : size;
  const [left, top] = [(picture.width - width) * shares.across, (picture.height - height) * shares.down];
  const window =
    size === box ? { left, top, width, height } : { left: Math.floor(left), top: Math.floor(top), width, height };
  return { ...size, window };
}

/** Whether the picture was too small for the requested size, and was not enlarged. */
export const wasKeptSmall = (picture: Size & { format?: InputFormat }, options: ResizeOptions): boolean => {
  const sizeOf = (geometry: Geometry): Size => geometry.placed ?? geometry;
  const kept = sizeOf(resizeGeometry(picture, options));
  const large = sizeOf(resizeGeometry(picture, { ...options, enlarge: true }));
  return kept.width < large.width || kept.height < large.height;
};

const side = (exact: number) => Math.max(1, Math.round(exact));

export type ResizeDrawingOptions = {
  geometry: Geometry;
  method: ResizeOptions["method"];
  gravity?: ResizeOptions["gravity"];
  limits: PictureLimits;
};

/**
 * Renders an SVG at its new size, sharp at any size; without its canvas. Parts that a box cuts off are rendered and then cropped.
 * @throws too-many-pixels if the rendering is much larger than the result
 */
export function resizeDrawing(source: Source, { geometry, method, gravity, limits }: ResizeDrawingOptions): Sharp {
  const { width, height } = geometry.placed ?? geometry;
  const { window } = geometry;
  const drawn = {
    width: (source.width * width) / window.width,
    height: (source.height * height) / window.height,
  };
  if (Math.max(drawn.width, drawn.height) > maxDrawnPx || drawn.width * drawn.height > limits.megapixelsOut * 1e6)
    refusePixels({ code: "drawing-not-filled" });
  const position = gravity === "smart" ? "attention" : (gravity ?? "centre");
  return source.read().resize({ width, height, ...(method === "fill" ? { fit: "cover", position } : { fit: "fill" }) });
}
