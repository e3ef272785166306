import { useEffect, useState } from "react";
import { loadImage } from "../../../../lib/load-image.ts";
import type { PreviewResult } from "../../work/preview-client.ts";

/**
 * The part of the original that matches a preview, or all of it, drawn at the preview's pixel size; undefined until drawn. After a
 * change the previous one stays until the next is drawn.
 */
export function useSourcePart(
  sourceUrl: string | undefined,
  result: PreviewResult | undefined,
  fit: "cover" | "fill",
): string | undefined {
  const [made, setMade] = useState<{ url: string; isWhole: boolean }>();
  const { left = 0, top = 0, width = 0, height = 0, isWhole = false } = result ?? {};
  const part = result?.part;
  useEffect(() => {
    if (sourceUrl === undefined || !part) return;
    let isCurrent = true;
    void drawPart(sourceUrl, part, { left, top, width, height, isWhole, fit })
      .then((blob) => {
        if (isCurrent) setMade(blob ? { url: URL.createObjectURL(blob), isWhole } : undefined);
      })
      .catch(() => isCurrent && setMade(undefined)); // the result is shown without the original
    return () => {
      isCurrent = false;
    };
  }, [sourceUrl, part, left, top, width, height, isWhole, fit]);
  const url = made?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  return made?.isWhole === isWhole ? url : undefined;
}

type PartPosition = Pick<PreviewResult, "left" | "top" | "width" | "height" | "isWhole"> & { fit: "cover" | "fill" };

/** Scales the original to the result's size like the operation does, and draws the part. */
async function drawPart(
  sourceUrl: string,
  part: Blob,
  { left, top, width, height, isWhole, fit }: PartPosition,
): Promise<Blob | null> {
  const [source, shown] = await Promise.all([loadImage(sourceUrl), createImageBitmap(part)]);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [shown.width, shown.height];
  shown.close();
  const context = canvas.getContext("2d");
  if (!context) return null;
  const across = width / source.naturalWidth;
  const down = height / source.naturalHeight;
  const [scaleX, scaleY] = fit === "cover" ? [Math.max(across, down), Math.max(across, down)] : [across, down];
  const [cutX, cutY] = [(source.naturalWidth * scaleX - width) / 2, (source.naturalHeight * scaleY - height) / 2];
  context.imageSmoothingQuality = "high";
  const from = { x: (left + cutX) / scaleX, y: (top + cutY) / scaleY };
  const shownPx = isWhole ? { width, height } : canvas;
  const size = { width: shownPx.width / scaleX, height: shownPx.height / scaleY };
  context.drawImage(source, from.x, from.y, size.width, size.height, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
