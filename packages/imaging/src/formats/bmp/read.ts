import { bmpHeaderBytes, decodeBmp, embeddedFile, readBmpHeader } from "@tintype/codecs/bmp";
import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError } from "@tintype/contract";
import { checkPixels } from "../limits.ts";
import { openRaster } from "../open-raster.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";

/** Opens a BMP: checks its header, then decodes all of it. */
export async function openBmp({ file, limits }: FileOpenOptions): Promise<Source> {
  const header = readBmpHeader(file.head.subarray(0, bmpHeaderBytes));
  checkPixels(header, limits);
  const bytes = await file.bytes();
  if (header.packing === "jpeg" || header.packing === "png") {
    const input = embeddedFile(bytes, header);
    if (sniffFormat(input) !== header.packing) throw new DomainError("broken-image");
    return openWithLibvips({ file, input, format: "bmp", limits });
  }
  return openRaster(decodeBmp(bytes, header), { file, format: "bmp", notes: [] });
}
