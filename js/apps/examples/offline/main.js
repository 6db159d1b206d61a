const PACKAGE = '../../package/';
const MODEL = '/models/mlperftiny_kws_int8.tflite';

await navigator.serviceWorker.register('service_worker.js');
if (!navigator.serviceWorker.controller) {
  await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}
// From here on the service worker sees, and keeps, every script that is imported.
const { listCachedModels, loadTFLiteModel } = await import(`${PACKAGE}index.mjs`);
const model = await loadTFLiteModel(MODEL, { cache: true });
const [scores] = await model.run(new Float32Array(500));
console.log(scores.data.length, (await listCachedModels()).map(({ kind }) => kind).sort().join());
