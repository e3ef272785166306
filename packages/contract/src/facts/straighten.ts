type Size = { width: number; height: number };
type Box = Size & { left: number; top: number };

/** Rounding may move a box so far beyond the picture, px. Pixels there repeat the picture's edge, which nobody sees. */
const slackPx = 0.75;

const angleOf = (degrees: number) => {
  const radians = (degrees * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
};

/** The smallest upright box around a picture that was turned about its middle, px. A crop of it counts from its upper left corner. */
export function straightenedSize({ width, height }: Size, degrees: number): Size {
  const { cos, sin } = angleOf(Math.abs(degrees));
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) };
}

/** Where a point of the straightened picture lies in the picture itself, px. */
export function straightenedPoint(
  picture: Size,
  { degrees, x, y }: { degrees: number; x: number; y: number },
): { x: number; y: number } {
  const { cos, sin } = angleOf(degrees);
  const whole = straightenedSize(picture, degrees);
  const [across, down] = [x - whole.width / 2, y - whole.height / 2];
  return { x: cos * across + sin * down + picture.width / 2, y: cos * down - sin * across + picture.height / 2 };
}

/** The largest box of a ratio, width to height, in the middle of the turned picture that shows nothing beyond it, px. */
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

/** By how much a box has to be made smaller about its own middle to show nothing beyond the turned picture: 1 for not at all. */
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

/** The box, made smaller about its middle until it shows nothing beyond the turned picture; undefined where its middle lies there. */
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
