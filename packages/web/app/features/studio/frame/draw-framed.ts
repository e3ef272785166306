import { cropBoxOf, turnedSides } from "../state/frame.ts";
import type { Frame } from "../state/settings.ts";

/** A picture as its frame leaves it: turned, mirrored, cropped. `sides` are the picture's own; the image may be a smaller one. */
export async function drawFramed(
  url: string,
  { frame, sides }: { frame: Frame; sides: { widthPx: number; heightPx: number } },
): Promise<Blob | null> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = image.naturalWidth / sides.widthPx;
  const turned = turnedSides(sides, frame);
  const box = cropBoxOf(turned, frame);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(box.width * scale));
  canvas.height = Math.max(1, Math.round(box.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.translate(-box.left * scale, -box.top * scale);
  context.translate((turned.widthPx * scale) / 2, (turned.heightPx * scale) / 2);
  context.scale(frame.flip === "horizontal" ? -1 : 1, frame.flip === "vertical" ? -1 : 1);
  context.rotate(((frame.degrees ?? 0) * Math.PI) / 180);
  context.drawImage(image, -image.naturalWidth / 2, -image.naturalHeight / 2);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
