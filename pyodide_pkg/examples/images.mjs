// An image in a page, analysed in Python: images.py runs in a worker (images_worker.mjs).

const IMAGE = 'image';
const MODELS = { classify: 'classifier.tflite', segment: 'segmenter.tflite' };
const TEXTS = { classify: 'What is it?', segment: 'What is where?' };

/** Python in a worker: its calls by name. */
class Python {
  #worker = new Worker(new URL('./images_worker.mjs', import.meta.url), { type: 'module' });
  #waiting = new Map();
  #calls = 0;

  constructor() {
    this.#worker.onmessage = ({ data: { id, value, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(value);
      else reject(new Error(error));
    };
    this.#worker.onerror = ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`Python's worker failed: ${message}`));
    };
  }

  call(call, parameters) {
    return new Promise((resolve, reject) => {
      const id = this.#calls++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, parameters });
    });
  }
}

/**
 * Shows an image with controls that classify and segment it.
 *
 * @param root - The parent element.
 * @param addresses - All fetched URLs: `pyodide`, the directory with pyodide.mjs, numpy and pillow;
 *   `wheel` and `module`, the wheel of tflite_webnn and the tflite_webnn.mjs next to it; `script`, images.py;
 *   `classifier` and `segmenter`, models with labels packed into them; `image`.
 * @returns a promise that resolves when all is ready.
 */
export async function showImages(root, addresses) {
  const absolute = Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [name, new URL(address, document.baseURI).href]),
  );
  const view = makeView(root);
  const python = new Python();
  const show = async (message, step) => {
    view.setBusy(message);
    try {
      view.setDone(await step());
    } catch (error) {
      view.setDone(`This failed: ${error.message}`);
    }
  };

  const run = async (call, parameters) => {
    const result = await python.call(call, { image: IMAGE, ...parameters });
    view.draw(result.image);
    view.list(result.labels);
    return result;
  };

  for (const [name, button] of Object.entries(view.buttons)) {
    button.onclick = () =>
      show('Python computes …', async () => {
        const webnn = view.webnn.checked;
        return describe(await run(name, { model: MODELS[name], webnn }), webnn);
      });
  }
  view.file.onchange = () =>
    show('Python reads the image …', async () => {
      await python.call('write', { path: IMAGE, content: await view.file.files[0].arrayBuffer() });
      await run('show');
      return 'The image is there.';
    });

  await show('Python starts …', async () => {
    await python.call('start', absolute);
    await python.call('write', { path: IMAGE, url: absolute.image });
    await run('show');
    await python.call('write', { path: MODELS.classify, url: absolute.classifier });
    await python.call('write', { path: MODELS.segment, url: absolute.segmenter });
    view.script.textContent = await (await fetch(absolute.script)).text();
    return 'Python is ready.';
  });
}

function describe({ milliseconds, delegated, nodes, reason }, webnn) {
  const where = webnn ? `${delegated} of ${nodes} nodes on WebNN${reason ? ` (${reason})` : ''}` : 'on the CPU';
  return `${milliseconds.toFixed(1)} ms, ${where}`;
}

/** The elements. They use the site's classes, and work without its styles. */
function makeView(root) {
  const status = element('p', { className: 'status', role: 'status' });
  const canvas = element('canvas', { width: 451, height: 300, role: 'img', ariaLabel: 'The image' });
  const labels = element('ol');
  const webnn = element('input', { type: 'checkbox', checked: true });
  const file = element('input', { type: 'file', accept: 'image/*' });
  const script = element('code');
  const buttons = Object.fromEntries(
    Object.entries(TEXTS).map(([name, textContent]) => [name, element('button', { type: 'button', textContent })]),
  );
  const controls = [
    ...Object.values(buttons),
    element('label', {}, webnn, ' on WebNN'),
    element('label', {}, 'Another image: ', file),
  ].flatMap((control) => [control, ' ']);
  root.replaceChildren(
    element('div', { className: 'controls' }, ...controls),
    status,
    canvas,
    labels,
    element('details', {}, element('summary', { textContent: 'The Python script' }), element('pre', { tabIndex: 0 }, script)),
  );
  const setBusy = (busy, message) => {
    for (const control of [...Object.values(buttons), webnn, file]) control.disabled = busy;
    root.ariaBusy = String(busy);
    status.textContent = message;
  };
  return {
    buttons,
    webnn,
    file,
    script,
    setBusy: (message) => setBusy(true, message),
    setDone: (message) => setBusy(false, message),
    draw({ width, height, rgba }) {
      Object.assign(canvas, { width, height });
      canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
    },
    list(found) {
      const rows = found.map(([label, share]) => element('li', { textContent: `${label}: ${(share * 100).toFixed(1)} %` }));
      labels.replaceChildren(...rows);
    },
  };
}

function element(name, properties = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}
