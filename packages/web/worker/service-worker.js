// The service worker of the installed app. The build puts the studio's files in place of the two names below; another build is
// another worker, with a cache of its own.
//
// Pages always come from the network while there is one: an update is seen at the next visit. Files under /assets have the hash
// of their content in their name and cannot be old. Nothing else is kept: no answer of the API, no page of an account.

const version = __VERSION__;
const files = __FILES__;

const cacheName = `tintype-${version}`;
/** Pictures on their way into the studio, which takes them out (work/intake/shared-pictures.ts): of another app, and of the page before. */
const sharedName = "tintype-shared";
const restoredName = "tintype-restored";
const offlinePage = "/offline.html";

self.addEventListener("install", (event) => event.waitUntil(keepStudio()));

// Without skipWaiting: tabs of the version before keep their worker, and with it the files that they still load.
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
  // The page may be of a later build than this worker: its own files belong to it.
  const named = [...(await page.clone().text()).matchAll(/"(\/assets\/[^"]+[.](?:js|css|woff2))"/g)].map(
    ([, path]) => path,
  );
  await cache.addAll([...new Set([...files, ...named, "/favicon.svg", offlinePage])]);
  await cache.put("/", page);
}

async function forgetOldVersions() {
  const names = await caches.keys();
  const inUse = [cacheName, sharedName, restoredName];
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

/** Another app shares pictures: they wait in a cache for the studio, which is told by the address. */
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
