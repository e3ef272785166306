import type { Rectangle, Size } from "@tintype/codecs/raster";
import { sharesBefore, type TaskOptions } from "@tintype/contract";
import { maxDrawnPx } from "../../raster/broken-image.ts";

type Options = Pick<TaskOptions<"watermark">, "size" | "margin" | "position" | "angle" | "tiled">;

/** `drawn`: the mark before it is turned, px. `box`: where it stands in the picture once it is. */
export type PlacedMark = { drawn: Size; box: Rectangle };

/** The box of a mark that is turned by `degrees`. */
function turnedBox({ width, height }: Size, degrees: number): Size {
  const [cosine, sine] = [Math.cos, Math.sin].map((of) => Math.abs(of((degrees * Math.PI) / 180))) as [number, number];
  return { width: width * cosine + height * sine, height: width * sine + height * cosine };
}

/** A mark of the given ratio at its size and place in a picture; smaller where it would not fit. */
export function placeMark(mark: Size, picture: Size, { size, margin, position, angle, tiled }: Options): PlacedMark {
  const space = tiled ? 0 : Math.round((Math.min(picture.width, picture.height) * margin) / 100);
  const room = { width: picture.width - 2 * space, height: picture.height - 2 * space };
  const box = turnedBox(mark, angle);
  const scale = Math.min(
    (picture.width * size) / 100 / mark.width,
    Math.min(room.width, maxDrawnPx) / box.width,
    Math.min(room.height, maxDrawnPx) / box.height,
  );
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const drawn = { width: side(mark.width), height: side(mark.height) };
  const turned = turnedBox(drawn, angle);
  const [width, height] = [Math.ceil(turned.width - rounding), Math.ceil(turned.height - rounding)];
  const { across, down } = sharesBefore(position);
  const left = space + Math.round((room.width - width) * across);
  const top = space + Math.round((room.height - height) * down);
  return { drawn, box: { left, top, width, height } };
}

/** px. A quarter turn is not exact in floating point. */
const rounding = 1e-6;
