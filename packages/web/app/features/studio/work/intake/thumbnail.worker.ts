import type { Sides } from "../../state/frame.ts";
import { type Thumbnail, type ThumbnailSource, thumbnailCoding, thumbnailSides } from "./thumbnail.ts";

// Reused, because a canvas keeps its pixels until the next garbage collection.
const canvas = new OffscreenCanvas(1, 1);

/** Answers each picture with its thumbnail, on the port sent with it; with undefined if the browser cannot decode it in a worker. */
self.onmessage = async ({ data, ports: [port] }: MessageEvent<ThumbnailSource>) => {
  port?.postMessage(await draw(data).catch(() => undefined));
};

async function draw({ picture, sides: known }: ThumbnailSource): Promise<Thumbnail> {
  const small = known && (await decodeSmall(picture, known));
  const image = small ?? (await createImageBitmap(picture));
  const sides = small ? known : { widthPx: image.width, heightPx: image.height };
  Object.assign(canvas, thumbnailSides(sides));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser has no canvas in workers.");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return { blob: await canvas.convertToBlob(thumbnailCoding), sides };
}

/** A JPEG decoder can scale by n/8: it computes the inverse DCT of a block at n x n samples. */
const eighths = 8;

/**
 * A JPEG decoded at the smallest scale that suffices for its thumbnail: 1/8 for 12 megapixels. Undefined if the browser lacks
 * ImageDecoder or does not apply the EXIF orientation to its frames.
 */
async function decodeSmall(picture: Blob, sides: Sides): Promise<ImageBitmap | undefined> {
  const canDecode = typeof ImageDecoder === "function" && "rotation" in VideoFrame.prototype;
  if (picture.type !== "image/jpeg" || !canDecode) return undefined;
  const scale = Math.ceil((thumbnailSides(sides).width / sides.widthPx) * eighths) / eighths;
  const data = await picture.arrayBuffer();
  const decoder = new ImageDecoder({
    data,
    transfer: [data],
    type: picture.type,
    desiredWidth: Math.ceil(sides.widthPx * scale),
    desiredHeight: Math.ceil(sides.heightPx * scale),
  });
  try {
    const { image } = await decoder.decode();
    // Drawn directly, a frame's pixels stay in memory until the next garbage collection.
    const bitmap = await createImageBitmap(image);
    image.close();
    return bitmap;
  } catch {
    return undefined;
  } finally {
    decoder.close();
  }
}
