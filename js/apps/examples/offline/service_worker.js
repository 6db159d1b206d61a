const CACHE = 'page';
const KEPT = ['document', 'script', 'worker'];

async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept === undefined) throw error;
    return kept;
  }
}

// The page itself and its script were loaded before there was a service worker.
addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['index.html', 'main.js'])));
  skipWaiting();
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  if (KEPT.includes(event.request.destination)) event.respondWith(networkFirst(event.request));
});
