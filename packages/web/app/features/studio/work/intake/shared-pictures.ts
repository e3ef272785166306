/**
 * Caches of pictures on their way into the studio. Other apps' are put there by the service worker; any page can post a form
 * to it, so the studio asks before it takes them in. The page before leaves its own pictures in the other cache.
 */
const caching = { shared: "tintype-shared", restored: "tintype-restored" };

/**
 * Puts files where the studio of the next page finds them.
 * @throws what the browser says when it keeps nothing, or has no room
 */
export async function handOver(files: readonly File[]): Promise<void> {
  const cache = await caches.open(caching.restored);
  // One after the other: the studio takes them out in this order.
  for (const [index, file] of files.entries()) {
    await putFile(cache, `/restored/${Date.now()}-${index}`, file);
  }
}

/** Takes the files out. */
export async function takeArrivals(from: keyof typeof caching): Promise<File[]> {
  const cache = await caches.open(caching[from]);
  const requests = await cache.keys();
  const files = await Promise.all(requests.map((request) => fileOfEntry(cache, request)));
  await caches.delete(caching[from]);
  return files.filter((file) => file !== undefined);
}

/** Keeps a file with its name and type. @throws what the browser says when it has no room */
export function putFile(cache: Cache, path: string, file: File): Promise<void> {
  const headers = { "content-type": file.type, "x-name": encodeURIComponent(file.name) };
  return cache.put(path, new Response(file, { headers }));
}

export async function fileOfEntry(cache: Cache, request: Request): Promise<File | undefined> {
  const kept = await cache.match(request);
  if (!kept) return undefined;
  const name = decodeURIComponent(kept.headers.get("x-name") ?? "picture");
  return new File([await kept.blob()], name, { type: kept.headers.get("content-type") ?? "" });
}
