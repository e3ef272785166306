import { type Blocks, maxBlockBytes } from "../../metadata/blocks.ts";
import { densityInPsd } from "../../metadata/density.ts";
import { resourceIds } from "../../metadata/image-resources.ts";
import { readPsdLayout } from "./layout.ts";

/** EXIF, XMP and IPTC-IIM of the image resources. */
export function readPsdBlocks(bytes: Uint8Array): Blocks {
  const { resources } = readPsdLayout(bytes);
  const blockOf = (id: number) => {
    const data = resources.get(id);
    return data && data.length <= maxBlockBytes ? data : undefined;
  };
  const [exif, xmp, iptc] = [resourceIds.exif, resourceIds.xmp, resourceIds.iptc].map(blockOf);
  return { density: densityInPsd(resources.get(resourceIds.resolution)), exif, xmp, iptc };
}
