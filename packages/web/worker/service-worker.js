// The service worker of the installed app. The build puts the studio's files in place of the two names below; each
// build is another worker, with its own cache.
//
// Pages come from the network whenever there is one, so an update shows at the next visit. Files under /assets have
// their content hash in their name and cannot be stale. Nothing else is cached: no API response, no page of an
// account.

const version = __VERSION__;
const files = __FILES__;

const cacheName = `tintype-${version}`;
/** Pictures shared by another app, until the studio takes them out (work/intake/shared-pictures.ts). */
const sharedName = "tintype-shared";
const offlinePage = "/offline.html";

self.addEventListener("install", (event) => event.waitUntil(keepStudio()));

// No skipWaiting: tabs of the previous version keep their worker, and with it the files that they may still load.
self.addEventListener("activate", (event) => event.waitUntil(forgetOldVersions()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && pathname === "/share") return event.respondWith(takeShared(request));
  if (request.method !== "GET") return;
  if (pathname.startsWith("/assets/")) return event.respondWith(keptOrFetched(request));
  if (request.mode === "navigate" && !/^\/(api|idp)(\/|$)/.test(pathname))
    event.respondWith(fetch(request).catch(() => pageOffline(pathname)));
});

async function keepStudio() {
  const cache = await caches.open(cacheName);
  const page = await fetch("/", { cache: "reload", credentials: "omit" });
  if (!page.ok) throw new Error(`The studio's page answered ${page.status}`);
  // The page may belong to a later build than this worker: cache the files that it names.
  const named = [...(await page.clone().text()).matchAll(/"(\/assets\/[^"]+[.](?:js|css|woff2))"/g)].map(
    ([, path]) => path,
  );
  await cache.addAll([...new Set([...files, ...named, "/favicon.svg", offlinePage])]);
  await cache.put("/", page);
}

async function forgetOldVersions() {
  const names = await caches.keys();
  const inUse = [cacheName, sharedName];
  const old = names.filter((name) => name.startsWith("tintype-") && !inUse.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function keptOrFetched(request) {
  const cache = await caches.open(cacheName);
  return (await cache.match(request.url)) ?? fetch(request);
}

async function pageOffline(pathname) {
  const cache = await caches.open(cacheName);
  return (await cache.match(pathname === "/" ? "/" : offlinePage)) ?? Response.error();
}

/** Another app shares pictures: they wait in a cache for the studio, which learns of them from the URL. */
async function takeShared(request) {
  const form = await request.formData();
  const cache = await caches.open(sharedName);
  const shared = form.getAll("files").filter((file) => file instanceof File);
  await Promise.all(
    shared.map((file, index) =>
      cache.put(
        `/shared/${Date.now()}-${index}`,
        new Response(file, { headers: { "content-type": file.type, "x-name": encodeURIComponent(file.name) } }),
      ),
    ),
  );
  return Response.redirect("/?shared", 303);
}
