/**
 * Caches of pictures on their way into the studio. The service worker fills `shared` with what other apps share. Any page can post a
 * form to it, so the studio asks before it adds them. The previous page fills `restored` with its own pictures.
 */
const cacheNames = { shared: "tintype-shared", restored: "tintype-restored" };

/**
 * Stores files for the studio of the next page.
 * @throws the browser's error when storage is denied or full
 */
export async function storeForNextPage(files: readonly File[]): Promise<void> {
  const cache = await caches.open(cacheNames.restored);
  // Sequentially, because the studio takes them out in insertion order.
  for (const [index, file] of files.entries()) {
    await putFile(cache, `/restored/${Date.now()}-${index}`, file);
  }
}

/** Returns the files and deletes the cache. */
export async function takeArrivals(from: keyof typeof cacheNames): Promise<File[]> {
  const cache = await caches.open(cacheNames[from]);
  const requests = await cache.keys();
  const files = await Promise.all(requests.map((request) => fileOfEntry(cache, request)));
  await caches.delete(cacheNames[from]);
  return files.filter((file) => file !== undefined);
}

/** Stores a file with its name and type. @throws the browser's error when storage is full */
export function putFile(cache: Cache, path: string, file: File): Promise<void> {
  const headers = { "content-type": file.type, "x-name": encodeURIComponent(file.name) };
  return cache.put(path, new Response(file, { headers }));
}

export async function fileOfEntry(cache: Cache, request: Request): Promise<File | undefined> {
  const response = await cache.match(request);
  if (!response) return undefined;
  const name = decodeURIComponent(response.headers.get("x-name") ?? "picture");
  return new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "" });
}
