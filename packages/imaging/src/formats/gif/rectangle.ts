import type { Rectangle } from "../../raster/raster.ts";

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

/** The intersection with a canvas of this size; `emptyRectangle` if there is none. */
export function clip(rectangle: Rectangle, canvas: { width: number; height: number }): Rectangle {
  const right = Math.min(rectangle.left + rectangle.width, canvas.width);
  const bottom = Math.min(rectangle.top + rectangle.height, canvas.height);
  const { left, top } = rectangle;
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : emptyRectangle;
}

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
