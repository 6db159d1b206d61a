importScripts('tflite_cpu.js');

let opening = null;

async function openModel() {
  const bytesOf = async (file) => (await fetch(file)).arrayBuffer();
  const [module, model] = await Promise.all(['tflite_webnn.wasm', 'model.tflite'].map(bytesOf));
  return tfliteCpu.createTFLite({ module }).loadModel(model);
}

async function scores() {
  opening ??= openModel();
  const model = await opening;
  return [...model.predict(new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b)))];
}

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  scores().then(respond, (error) => respond(error.message));
  return true; // the response comes later
});
