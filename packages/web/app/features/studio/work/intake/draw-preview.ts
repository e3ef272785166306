import { loadImage } from "../../../../lib/load-image.ts";
import type { Sides } from "../../state/frame.ts";
import type { Preview } from "../../state/picture.ts";
import { type Thumbnail, thumbnailCoding, thumbnailSides } from "./thumbnail.ts";

/** Draws the thumbnail in a worker; undefined if that cannot decode it: an SVG, a damaged file, or a format unknown to the browser. */
type DrawThumbnail = () => Promise<Thumbnail | undefined>;

type DrawnPreview = { preview: Extract<Preview, { kind: "shown" }>; sides: Sides };

/**
 * Object URLs of a picture and its thumbnail, or undefined if this browser cannot decode it. The caller revokes them. The
 * thumbnail is a separate small image, because two hundred photographs shown from their files would hold gigabytes of pixels.
 * What `drawThumbnail` cannot decode is drawn on the main thread.
 */
export async function drawPreview(blob: Blob, drawThumbnail?: DrawThumbnail): Promise<DrawnPreview | undefined> {
  const url = URL.createObjectURL(blob);
  try {
    const { blob: thumb, sides } = (await drawThumbnail?.()) ?? (await drawOnPage(url));
    const thumbUrl = thumb ? URL.createObjectURL(thumb) : url;
    return { preview: { kind: "shown", url, thumbUrl, thumb }, sides };
  } catch {
    URL.revokeObjectURL(url); // this browser cannot decode it; the server may
    return undefined;
  }
}

async function drawOnPage(url: string): Promise<Partial<Thumbnail> & Pick<Thumbnail, "sides">> {
  const image = await loadImage(url);
  const sides = { widthPx: image.naturalWidth, heightPx: image.naturalHeight };
  const { width, height } = thumbnailSides(sides);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return { sides };
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  const drawn = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, thumbnailCoding.type, thumbnailCoding.quality),
  );
  return drawn ? { blob: drawn, sides } : { sides };
}
