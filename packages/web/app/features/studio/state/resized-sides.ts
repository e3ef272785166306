import { fieldValue, hasCanvas, isMovedPicture } from "./form-fields.ts";
import type { Sides } from "./frame.ts";
import type { Settings } from "./settings.ts";

const sideIn = (values: Settings["resize"], name: string): number | undefined => {
  const text = fieldValue("resize", values, name).trim();
  return /^[0-9]{1,5}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
};

/** Width divided by height of a `fill` target; undefined if the resize does not crop, or a recipe says what it keeps. */
export function fillRatio(values: Settings["resize"]): number | undefined {
  if (values.unit === "percent" || fieldValue("resize", values, "method") !== "fill") return undefined;
  if (isMovedPicture("resize", values)) return undefined;
  const [width, height] = [sideIn(values, "width"), sideIn(values, "height")];
  return width === undefined || height === undefined ? undefined : width / height;
}

/** The result's sides, computed like the server's; undefined while the fields hold no valid size. */
export function resizedSides({ widthPx, heightPx }: Sides, values: Settings["resize"]): Sides | undefined {
  const number = (name: string) => sideIn(values, name);
  if (values.unit === "percent") {
    const percent = number("percent");
    return percent === undefined
      ? undefined
      : { widthPx: whole((widthPx * percent) / 100), heightPx: whole((heightPx * percent) / 100) };
  }
  const targetSides = [number("width"), number("height")];
  const [canvasWidth, canvasHeight] = targetSides;
  if (hasCanvas(values) && canvasWidth !== undefined && canvasHeight !== undefined)
    return { widthPx: canvasWidth, heightPx: canvasHeight };
  const [width, height] = mayEnlarge(values)
    ? targetSides
    : [atMost(targetSides[0], widthPx), atMost(targetSides[1], heightPx)];
  if (width === undefined && height === undefined) return undefined;
  if (height === undefined) return { widthPx: width ?? 1, heightPx: whole((heightPx * (width ?? 1)) / widthPx) };
  if (width === undefined) return { widthPx: whole((widthPx * height) / heightPx), heightPx: height };
  const method = fieldValue("resize", values, "method");
  if (method === "fit") {
    const scale = Math.min(width / widthPx, height / heightPx);
    return { widthPx: Math.min(width, whole(widthPx * scale)), heightPx: Math.min(height, whole(heightPx * scale)) };
  }
  if (method === "stretch" || mayEnlarge(values)) return { widthPx: width, heightPx: height };
  // Without enlarging, a `fill` keeps the pixels of its crop if that is smaller than the box.
  const [across = 1, down = 1] = targetSides;
  const scale = Math.min(1, widthPx / across, heightPx / down);
  return { widthPx: whole(across * scale), heightPx: whole(down * scale) };
}

/** Whether a resize in pixels may enlarge. By default all methods do but `fit`. */
export function mayEnlarge(values: Settings["resize"]): boolean {
  const enlarge = fieldValue("resize", values, "enlarge");
  return enlarge === "" ? fieldValue("resize", values, "method") !== "fit" : enlarge === "true";
}

const atMost = (side: number | undefined, max: number) => (side === undefined ? undefined : Math.min(side, max));

const whole = (exact: number) => Math.max(1, Math.round(exact));
