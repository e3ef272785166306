import type { Sides } from "../../state/frame.ts";

/** What to make a thumbnail of; `sides` as shown, which spares decoding a JPEG in full. */
export type ThumbnailSource = { picture: Blob; sides: Sides | undefined };

/** A thumbnail, and the size of the picture that it was made from. */
export type Thumbnail = { blob: Blob; sides: Sides };

/** The shorter side: twice that of the largest thumbnail shown, for high-density screens, px. */
const thumbnailPx = 192;

export const thumbnailCoding = { type: "image/webp", quality: 0.8 };

export function thumbnailSides({ widthPx, heightPx }: Sides): { width: number; height: number } {
  const scale = Math.min(1, thumbnailPx / Math.max(1, Math.min(widthPx, heightPx)));
  return { width: Math.max(1, Math.round(widthPx * scale)), height: Math.max(1, Math.round(heightPx * scale)) };
}
