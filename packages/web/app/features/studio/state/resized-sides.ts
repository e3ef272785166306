import { fieldValue } from "./form-fields.ts";
import type { Sides } from "./frame.ts";
import type { Settings } from "./settings.ts";

/** The result's sides, as the server computes them; undefined while the fields name none. */
export function resizedSides({ widthPx, heightPx }: Sides, values: Settings["resize"]): Sides | undefined {
  const number = (name: string) => {
    const text = fieldValue("resize", values, name).trim();
    return /^[0-9]{1,5}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
  };
  if (values.unit === "percent") {
    const percent = number("percent");
    return percent === undefined
      ? undefined
      : { widthPx: whole((widthPx * percent) / 100), heightPx: whole((heightPx * percent) / 100) };
  }
  const [width, height] = [number("width"), number("height")];
  if (width === undefined && height === undefined) return undefined;
  if (height === undefined) return { widthPx: width ?? 1, heightPx: whole((heightPx * (width ?? 1)) / widthPx) };
  if (width === undefined) return { widthPx: whole((widthPx * height) / heightPx), heightPx: height };
  if (fieldValue("resize", values, "method") !== "fit") return { widthPx: width, heightPx: height };
  const scale = Math.min(width / widthPx, height / heightPx);
  return { widthPx: Math.min(width, whole(widthPx * scale)), heightPx: Math.min(height, whole(heightPx * scale)) };
}

const whole = (exact: number) => Math.max(1, Math.round(exact));
