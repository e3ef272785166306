/** A part of a picture, px from its top left corner, possibly fractional. */
export type PixelWindow = { left: number; top: number; width: number; height: number };

export type ResampleTarget = {
  /** px, at least 1. */
  width: number;
  height: number;
  /** The part of the source to show; default: all of it. */
  window?: PixelWindow | undefined;
};

/**
 * The size of an intermediate result: above a ratio of 16 the kernel would need too many rows, and a first reduction to
 * an eighth loses nothing that matters. Undefined if one step is enough.
 */
export function halfwayTarget(
  target: ResampleTarget & { window: PixelWindow },
): (ResampleTarget & { window: PixelWindow }) | undefined {
  const { width, height, window } = target;
  const stop = (size: number, wanted: number) => (size / wanted > 16 ? Math.ceil(size / 8) : wanted);
  const halfway = { width: stop(window.width, width), height: stop(window.height, height), window };
  return halfway.width === width && halfway.height === height ? undefined : halfway;
}
