import type { Sides } from "../../state/frame.ts";

/** Twice the largest thumbnail, for dense screens. px */
const thumbnailPx = 192;

export type Drawn = { url: string; thumbUrl: string; thumb: Blob | undefined; sides: Sides };

/**
 * Object URLs of a picture and of its thumbnail, if this browser can draw it; the caller revokes them. The thumbnail
 * is a small picture of its own: two hundred photographs shown straight from their files would hold gigabytes of pixels.
 */
export async function drawPreview(blob: Blob): Promise<Drawn | undefined> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    const sides = { widthPx: image.naturalWidth, heightPx: image.naturalHeight };
    const thumbnail = await drawSmall(image, sides);
    return { url, thumbUrl: thumbnail ? URL.createObjectURL(thumbnail) : url, thumb: thumbnail ?? undefined, sides };
  } catch {
    URL.revokeObjectURL(url); // this browser cannot draw it: the server can
    return undefined;
  }
}

async function drawSmall(image: HTMLImageElement, { widthPx, heightPx }: Sides): Promise<Blob | null> {
  const scale = Math.min(1, thumbnailPx / Math.max(1, Math.min(widthPx, heightPx)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(widthPx * scale));
  canvas.height = Math.max(1, Math.round(heightPx * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.8));
}
