// A service worker: the site goes on without a network once it has been loaded. build.mjs puts the version and the files first.
//
// Shapes: a version is a store of its own. A new one waits until no page of the old one is open, so that a page has the files of one
//         version.

const {kVersion, kFiles} = /** @type {{kVersion: string, kFiles: string[]}} */ (/** @type {any} */ (self).warpsimSite);
const scope = /** @type {any} */ (self);

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(kVersion).then((store) => store.addAll(kFiles.map((name) => new Request(name, {cache: "reload"})))));
});
scope.addEventListener("activate", (/** @type {any} */ event) => {
  const others = async () => Promise.all((await caches.keys()).filter((name) => name.startsWith("warpsim-") && name !== kVersion).map((name) => caches.delete(name)));
  event.waitUntil(others());
});
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/-/")) return;  // /-/ is a server's own, which does not end
  event.respondWith(caches.open(kVersion).then(async (store) => (await store.match(request, {ignoreSearch: true})) ?? fetch(request).then((answer) => {
    if (answer.ok) store.put(request, answer.clone());
    return answer;
  })));
});
