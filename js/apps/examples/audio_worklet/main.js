// The page's part: fetches what the audio thread cannot.

const PACKAGE = new URL('../../package/', import.meta.url);

/** Returns a node that posts the scores of the last second, 50 times a second. The context's rate is 16 kHz. */
export async function openSpotter(context, modelUrl) {
  const [module, model] = await Promise.all([
    WebAssembly.compileStreaming(fetch(new URL('simd/tflite_webnn.wasm', PACKAGE))),
    fetch(modelUrl).then((response) => response.arrayBuffer()),
    context.audioWorklet.addModule(new URL('tflite_cpu.js', PACKAGE)),
  ]);
  await context.audioWorklet.addModule(new URL('spotter.js', import.meta.url));
  return new AudioWorkletNode(context, 'keyword-spotter', { numberOfOutputs: 0, processorOptions: { module, model } });
}
