import { resourceIds } from "../../metadata/image-resources.ts";
import type { Stripped } from "../stripped.ts";
import { type PsdLayout, readPsdLayout } from "./layout.ts";

/** Resources that the pixels depend on, and their density. */
const keptResources = [resourceIds.resolution, resourceIds.profile, resourceIds.transparentIndex, resourceIds.version];

/**
 * The merged image with the resources it depends on. Layers are dropped: they contain names, texts and whole files with
 * metadata of their own. The report says so.
 */
export function stripPsd(file: Uint8Array): Stripped {
  const layout = readPsdLayout(file);
  const resources = keptResources.flatMap((id) => {
    const data = layout.resources.get(id);
    return data ? [resource(id, data)] : [];
  });
  const section = Buffer.concat(resources);
  const paletteEnd = 30 + layout.palette.length;
  const bytes = Buffer.concat([
    file.subarray(0, paletteEnd),
    uint32(section.length),
    section,
    layersSection(layout),
    file.subarray(layout.pictureAt),
  ]);
  return { bytes, notes: [] };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const resource = (id: number, data: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from("8BIM"),
    Buffer.of(id >> 8, id & 255, 0, 0),
    uint32(data.length),
    data,
    Buffer.alloc(data.length & 1),
  ]);

/** No layers and no masks, only the block that marks the merged image as transparent. */
function layersSection({ isBig, hasTransparency }: PsdLayout): Buffer {
  const zeros = Buffer.alloc(isBig ? 8 : 4);
  if (!hasTransparency) return zeros;
  const body = Buffer.concat([zeros, uint32(0), Buffer.from("8BIMMtrn"), zeros]);
  return Buffer.concat([Buffer.alloc(zeros.length - 4), uint32(body.length), body]);
}
