import { useEffect, useState } from "react";
import { loadImage } from "../../../../lib/load-image.ts";
import { boundsOf, cropBoxOf, type Frame, hasFrame, type Sides, turnedSides } from "../../state/frame.ts";
import type { Picture } from "../../state/picture.ts";

/** URL of the original after a frame; the original's own URL if there is no frame, undefined until it is drawn. */
export function useFramedUrl(
  { preview, sides }: Picture,
  frame: Frame | undefined,
  { maxPx = Number.POSITIVE_INFINITY }: { maxPx?: number } = {},
): string | undefined {
  const source = preview.kind === "shown" ? preview.url : undefined;
  const [made, setMade] = useState<{ key: string; url: string }>();
  // Compared by value, because `orderOf` returns a new frame object each time if `fillAt` is set.
  const key = JSON.stringify([source, sides, frame, maxPx]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all of them
  useEffect(() => {
    if (source === undefined || !sides || !hasFrame(frame)) return;
    let isCurrent = true;
    void drawFramed(source, { frame, sides, maxPx })
      .then((blob) => blob && isCurrent && setMade({ key, url: URL.createObjectURL(blob) }))
      .catch(() => undefined); // the result is shown without the original
    return () => {
      isCurrent = false;
    };
  }, [key]);
  const url = made?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  if (!hasFrame(frame)) return source;
  return made?.key === key ? url : undefined;
}

/** Enough for the stage on a high-density screen, px. */
export const shownPx = 2048;

/** Draws a picture after its frame: rotated, mirrored, cropped. `sides` are the picture's own; the image at `url` may be smaller. */
async function drawFramed(
  url: string,
  { frame, sides, maxPx }: { frame: Frame; sides: Sides; maxPx: number },
): Promise<Blob | null> {
  const image = await loadImage(url);
  const turned = turnedSides(sides, frame);
  const box = cropBoxOf(turned, frame);
  const scale = Math.min(image.naturalWidth / sides.widthPx, maxPx / Math.max(box.width, box.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(box.width * scale));
  canvas.height = Math.max(1, Math.round(box.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.translate(-box.left * scale, -box.top * scale);
  const bounds = boundsOf(turned, frame);
  context.translate((bounds.widthPx * scale) / 2, (bounds.heightPx * scale) / 2);
  context.rotate(((frame.straighten ?? 0) * Math.PI) / 180);
  context.scale(frame.flip === "horizontal" ? -1 : 1, frame.flip === "vertical" ? -1 : 1);
  context.rotate(((frame.degrees ?? 0) * Math.PI) / 180);
  context.imageSmoothingQuality = "high";
  const [width, height] = [sides.widthPx * scale, sides.heightPx * scale];
  context.drawImage(image, -width / 2, -height / 2, width, height);
  // Lossless only for a comparison pixel by pixel, because a large PNG takes seconds.
  return new Promise((resolve) => canvas.toBlob(resolve, maxPx > shownPx ? "image/png" : "image/webp", 0.92));
}
