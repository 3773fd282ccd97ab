/* global self, caches */
// Caches the whole site for use without the network. Online, pages are fetched again. A new version waits until no
// page of an earlier one is open: those load further files by names that only their own cache may still have.

const files = JSON.parse('%FILES%');
const prefix = `private-moments ${self.registration.scope} `;
const name = `${prefix}%DIGEST%`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))),
  );
});

self.addEventListener('activate', (event) => {
  const old = (keys) => keys.filter((key) => key.startsWith(prefix) && key !== name);
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(old(keys).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const kept = () => caches.match(request, { ignoreSearch: true, ignoreVary: true });
  event.respondWith(
    request.mode === 'navigate'
      ? fetch(request).catch(async () => (await kept()) ?? caches.match('./index.html'))
      : kept().then((response) => response ?? fetch(request)),
  );
});
