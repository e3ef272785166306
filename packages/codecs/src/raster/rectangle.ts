import type { Rectangle } from "./raster.ts";

export const emptyRectangle: Rectangle = { left: 0, top: 0, width: 0, height: 0 };

export const isEmpty = ({ width, height }: Rectangle): boolean => width <= 0 || height <= 0;

/** The bounding rectangle of both. */
export function unite(first: Rectangle, second: Rectangle): Rectangle {
  if (isEmpty(first)) return second;
  if (isEmpty(second)) return first;
  const left = Math.min(first.left, second.left);
  const top = Math.min(first.top, second.top);
  return {
    left,
    top,
    width: Math.max(first.left + first.width, second.left + second.width) - left,
    height: Math.max(first.top + first.height, second.top + second.height) - top,
  };
}

/** The intersection; `emptyRectangle` if there is none. */
export function within(first: Rectangle, second: Rectangle): Rectangle {
  const left = Math.max(first.left, second.left);
  const top = Math.max(first.top, second.top);
  const right = Math.min(first.left + first.width, second.left + second.width);
  const bottom = Math.min(first.top + first.height, second.top + second.height);
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : emptyRectangle;
}

/** The rectangle, larger by so many pixels on each side. */
export const widen = ({ left, top, width, height }: Rectangle, by: number): Rectangle => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

export const wholeOf = ({ width, height }: { width: number; height: number }): Rectangle => ({
  left: 0,
  top: 0,
  width,
  height,
});

/** The bounding rectangle of points that are added one by one. */
export function createBounds(): { add(x: number, y: number): void; rectangle(): Rectangle } {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = -1;
  let bottom = -1;
  return {
    add(x, y) {
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    },
    rectangle: () => (right < 0 ? emptyRectangle : { left, top, width: right - left + 1, height: bottom - top + 1 }),
  };
}
