import { sharedName } from "./shared-cache.ts";

/**
 * Puts files where the studio of the next page finds them, as the service worker does with files that another app shares.
 * @throws what the browser says when it keeps nothing, or has no room
 */
export async function handOver(files: readonly File[]): Promise<void> {
  const cache = await caches.open(sharedName);
  // One after the other: the studio takes them out in this order.
  for (const [index, file] of files.entries()) {
    const headers = { "content-type": file.type, "x-name": encodeURIComponent(file.name) };
    await cache.put(`/shared/${Date.now()}-${index}`, new Response(file, { headers }));
  }
}
