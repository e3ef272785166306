/** The service worker stores here what other apps share. Any page can post a form to it, so the studio asks before it adds them. */
const cacheName = "tintype-shared";

/** Returns the files and deletes the cache. */
export async function takeShared(): Promise<File[]> {
  const cache = await caches.open(cacheName);
  const requests = await cache.keys();
  const files = await Promise.all(requests.map((request) => fileOfEntry(cache, request)));
  await caches.delete(cacheName);
  return files.filter((file) => file !== undefined);
}

async function fileOfEntry(cache: Cache, request: Request): Promise<File | undefined> {
  const response = await cache.match(request);
  if (!response) return undefined;
  const name = decodeURIComponent(response.headers.get("x-name") ?? "picture");
  return new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "" });
}
