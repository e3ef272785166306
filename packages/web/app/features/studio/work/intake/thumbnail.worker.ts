import { type Thumbnail, thumbnailCoding, thumbnailSides } from "./thumbnail.ts";

/** Answers each picture with its thumbnail, on the port sent with it; with undefined if the browser cannot decode it in a worker. */
self.onmessage = async ({ data, ports: [port] }: MessageEvent<Blob>) => {
  port?.postMessage(await draw(data).catch(() => undefined));
};

async function draw(picture: Blob): Promise<Thumbnail> {
  const bitmap = await createImageBitmap(picture);
  const sides = { widthPx: bitmap.width, heightPx: bitmap.height };
  const { width, height } = thumbnailSides(sides);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser has no canvas in workers.");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return { blob: await canvas.convertToBlob(thumbnailCoding), sides };
}
