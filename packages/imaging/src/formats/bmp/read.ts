import { readFile } from "node:fs/promises";
import { bmpHeaderBytes, decodeBmp, embeddedFile, readBmpHeader } from "@tintype/codecs/bmp";
import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError } from "@tintype/contract";
import { checkPixels } from "../limits.ts";
import { openRaster } from "../open-raster.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";

/** Opens a BMP: checks its header, then decodes all of it. */
export async function openBmp({
  path,
  sizeBytes,
  head,
  limits,
}: FileOpenOptions & { head: Uint8Array }): Promise<Source> {
  const header = readBmpHeader(head.subarray(0, bmpHeaderBytes));
  checkPixels(header, limits);
  const bytes = await readFile(path);
  if (header.packing === "jpeg" || header.packing === "png") {
    const input = embeddedFile(bytes, header);
    if (sniffFormat(input) !== header.packing) throw new DomainError("broken-image");
    return openWithLibvips({ path, input, sizeBytes, format: "bmp", limits });
  }
  return openRaster(decodeBmp(bytes, header), { path, sizeBytes, format: "bmp", notes: [] });
}
