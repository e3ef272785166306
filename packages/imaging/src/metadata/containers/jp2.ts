import { readUuidBoxes } from "../../formats/jp2/uuid-boxes.ts";
import { type Blocks, mostBlockBytes } from "../blocks.ts";

/** EXIF, XMP and IPTC-IIM from `uuid` boxes; a bare codestream has none. */
export const readJp2Blocks = (bytes: Uint8Array): Blocks => readUuidBoxes(bytes, { mostBytes: mostBlockBytes });
