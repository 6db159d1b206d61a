const CACHE = 'page';
const CACHED_DESTINATIONS = ['document', 'script', 'worker'];

async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const cached = await cache.match(request);
    if (cached === undefined) throw error;
    return cached;
  }
}

// The page itself and its script were loaded before there was a service worker.
addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['index.html', 'main.js'])));
  skipWaiting();
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  if (CACHED_DESTINATIONS.includes(event.request.destination)) event.respondWith(networkFirst(event.request));
});
