import { formatNamed } from "@tintype/contract";
import { formatOf } from "./read-header.ts";

/**
 * Whether a file may be an image, by its type, extension or first bytes. A coarse filter that keeps out texts and archives;
 * the server decides what a file really is.
 */
export async function looksLikeImage(file: File): Promise<boolean> {
  if (file.size === 0) return false;
  if (file.type.startsWith("image/") || formatNamed(file.name.split(".").at(-1) ?? "")) return true;
  if (file.type !== "") return false;
  return formatOf(new Uint8Array(await file.slice(0, 512).arrayBuffer())) !== undefined;
}
