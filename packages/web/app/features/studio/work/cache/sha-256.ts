/** The SHA-256 of a file's content, in hexadecimal. Reads the whole file into memory. */
export async function sha256(file: Blob): Promise<string> {
  const content = await file.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  // Frees the buffer at once: two hundred photographs would stay in memory until the next garbage collection.
  content.transfer?.(0);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
