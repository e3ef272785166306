type Size = { width: number; height: number };
type Box = Size & { left: number; top: number };

/** Rounding may move a box this far beyond the picture, px. Pixels there repeat the picture's edge, which nobody notices. */
const slackPx = 0.75;

const angleOf = (degrees: number) => {
  const radians = (degrees * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
};

/** Size of the axis-aligned bounding box of the rotated picture, px. Crop coordinates start at its upper left corner. */
export function straightenedSize({ width, height }: Size, degrees: number): Size {
  const { cos, sin } = angleOf(Math.abs(degrees));
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) };
}

/** Maps a point of the straightened picture to the original picture, px. */
export function straightenedPoint(
  picture: Size,
  { degrees, x, y }: { degrees: number; x: number; y: number },
): { x: number; y: number } {
  const { cos, sin } = angleOf(degrees);
  const whole = straightenedSize(picture, degrees);
  const [across, down] = [x - whole.width / 2, y - whole.height / 2];
  return { x: cos * across + sin * down + picture.width / 2, y: cos * down - sin * across + picture.height / 2 };
}

/** The largest centred box of an aspect ratio (width to height) that lies within the rotated picture, px. */
export function largestStraightened(picture: Size, { degrees, ratio }: { degrees: number; ratio: number }): Box {
  const { cos, sin } = angleOf(Math.abs(degrees));
  const exact = Math.min(picture.width / (ratio * cos + sin), picture.height / (ratio * sin + cos));
  const height = Math.max(1, Math.floor(exact));
  const width = Math.max(1, Math.floor(exact * ratio));
  const whole = straightenedSize(picture, degrees);
  return {
    left: Math.max(0, Math.round((whole.width - width) / 2)),
    top: Math.max(0, Math.round((whole.height - height) / 2)),
    width,
    height,
  };
}

/** The factor by which to scale a box about its centre so that it lies within the rotated picture. 1 means it already does. */
function shareInside(box: Box, { picture, degrees, slack }: { picture: Size; degrees: number; slack: number }): number {
  const { cos, sin } = angleOf(Math.abs(degrees));
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const { x, y } = straightenedPoint(picture, { degrees, ...middle });
  const room = {
    across: Math.min(x, picture.width - x) + slack,
    down: Math.min(y, picture.height - y) + slack,
  };
  const across = (cos * box.width + sin * box.height) / 2;
  const down = (sin * box.width + cos * box.height) / 2;
  return Math.min(1, room.across / across, room.down / down);
}

export const isInStraightened = (box: Box, of: { picture: Size; degrees: number }): boolean =>
  shareInside(box, { ...of, slack: slackPx }) === 1;

/** Scales the box down about its centre until it lies within the rotated picture. Undefined if its centre is outside. */
export function boxInStraightened(box: Box, of: { picture: Size; degrees: number }): Box | undefined {
  if (isInStraightened(box, of)) return box;
  const share = shareInside(box, { ...of, slack: 0 });
  const [width, height] = [Math.floor(box.width * share), Math.floor(box.height * share)];
  if (width < 1 || height < 1) return undefined;
  return {
    left: Math.round(box.left + (box.width - width) / 2),
    top: Math.round(box.top + (box.height - height) / 2),
    width,
    height,
  };
}
