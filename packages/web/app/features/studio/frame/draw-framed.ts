import { cropBoxOf, turnedSides } from "../state/frame.ts";
import type { Frame } from "../state/settings.ts";

/** Enough for the plate on a dense screen, px. */
export const shownPx = 2048;

/** A picture as its frame leaves it: turned, mirrored, cropped. `sides` are the picture's own; the image may be a smaller one. */
export async function drawFramed(
  url: string,
  { frame, sides, mostPx }: { frame: Frame; sides: { widthPx: number; heightPx: number }; mostPx: number },
): Promise<Blob | null> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const turned = turnedSides(sides, frame);
  const box = cropBoxOf(turned, frame);
  const scale = Math.min(image.naturalWidth / sides.widthPx, mostPx / Math.max(box.width, box.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(box.width * scale));
  canvas.height = Math.max(1, Math.round(box.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.translate(-box.left * scale, -box.top * scale);
  context.translate((turned.widthPx * scale) / 2, (turned.heightPx * scale) / 2);
  context.scale(frame.flip === "horizontal" ? -1 : 1, frame.flip === "vertical" ? -1 : 1);
  context.rotate(((frame.degrees ?? 0) * Math.PI) / 180);
  context.imageSmoothingQuality = "high";
  const [width, height] = [sides.widthPx * scale, sides.heightPx * scale];
  context.drawImage(image, -width / 2, -height / 2, width, height);
  // Without loss only where it is compared pixel by pixel: a large PNG takes seconds.
  return new Promise((resolve) => canvas.toBlob(resolve, mostPx > shownPx ? "image/png" : "image/webp", 0.92));
}
