import { formatNamed } from "@tintype/contract";
import { formatOf } from "./read-header.ts";

/**
 * Whether a file may be a picture: by its type, its name's ending, or its first bytes. A coarse sieve that keeps
 * notes and archives out; what a file really is, the server says.
 */
export async function looksLikeImage(file: File): Promise<boolean> {
  if (file.size === 0) return false;
  if (file.type.startsWith("image/") || formatNamed(file.name.split(".").at(-1) ?? "")) return true;
  if (file.type !== "") return false;
  return formatOf(new Uint8Array(await file.slice(0, 512).arrayBuffer())) !== undefined;
}
