// A service worker: the site goes on without a network once it has been loaded. build.mjs puts the version and the files first.
//
// Shapes: a version is a store of its own, and replaces the one before it as a whole, so that files of two versions never meet.

const {kVersion, kFiles} = /** @type {{kVersion: string, kFiles: string[]}} */ (/** @type {any} */ (self).warpsimSite);
const scope = /** @type {any} */ (self);

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(kVersion).then((store) => store.addAll(kFiles)).then(() => scope.skipWaiting()));
});
scope.addEventListener("activate", (/** @type {any} */ event) => {
  const others = async () => Promise.all((await caches.keys()).filter((name) => name.startsWith("warpsim-") && name !== kVersion).map((name) => caches.delete(name)));
  event.waitUntil(others().then(() => scope.clients.claim()));
});
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const {request} = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(caches.open(kVersion).then(async (store) => (await store.match(request, {ignoreSearch: true})) ?? fetch(request).then((answer) => {
    if (answer.ok) store.put(request, answer.clone());
    return answer;
  })));
});
