// @ts-check

/** @ultralytics/yolo on the page's @litertjs/core, for test_litert.py. */

/** -> the boxes in an image @param {string} url of the model */
export async function detect(url) {
  /** @type {string} */
  const library = '/programs/ultralytics/dist/index.js';
  const { YOLO } = await import(library);
  const wasmUrls = { wasmUrl: '/programs/ultralytics/pkg/ultralytics_inference_web_bg.wasm' };
  const model = await YOLO.load(url, { device: 'cpu', litertWasmUrl: `${location.origin}/programs/`, ...wasmUrls });
  const { boxes } = await model.predict(await (await fetch('/images/astronaut')).blob());
  return boxes.map((/** @type {Record<string, any>} */ { x1, y1, x2, y2, conf, cls, name }) => ({
    box: [x1, y1, x2, y2],
    conf,
    cls,
    name,
  }));
}
