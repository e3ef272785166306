import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import sharp from "sharp";

/** Our own mark, as SVG and as pixels. */
export async function measureDrawing(): Promise<Record<string, string>> {
  const svg = await readFile(new URL("../../packages/web/public/favicon.svg", import.meta.url));
  const png = async (sidePx: number) =>
    (
      await sharp(svg, { density: (72 * sidePx) / 32 })
        .resize(sidePx, sidePx)
        .png({ compressionLevel: 9 })
        .toBuffer()
    ).length;
  const bytes = (count: number) => count.toLocaleString("en");
  return {
    "drawing.svg": bytes(svg.length),
    "drawing.svgPacked": bytes(gzipSync(svg, { level: 9 }).length),
    "drawing.png32": bytes(await png(32)),
    "drawing.png192": bytes(await png(192)),
    "drawing.png1024": bytes(await png(1024)),
  };
}
