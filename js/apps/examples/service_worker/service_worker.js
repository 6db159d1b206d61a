const PACKAGE = '../../package/';
const WASM = `${PACKAGE}simd/tflite_webnn.wasm`;
const MODEL = '/models/mlperftiny_kws_int8.tflite';
const CACHE = 'tflite';

importScripts(`${PACKAGE}tflite_cpu.js`);

let opening = null;

async function openModel() {
  const cache = await caches.open(CACHE);
  const bytesOf = async (file) => (await cache.match(file)).arrayBuffer();
  const [module, model] = await Promise.all([WASM, MODEL].map(bytesOf));
  return tfliteCpu.createTFLite({ module }).loadModel(model);
}

async function respond(request) {
  opening ??= openModel();
  const model = await opening;
  const features = new Float32Array(await request.arrayBuffer());
  try {
    return Response.json({ scores: [...model.predict(features)] });
  } catch (error) {
    return Response.json({ error: error.message }, { status: 400 });
  }
}

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([WASM, MODEL])));
  skipWaiting();
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.endsWith('/scores')) event.respondWith(respond(event.request));
});
