// @ts-check

/**
 * What the site's tests do in its pages. Their policy forbids imports from elsewhere: tests/site/visit.py evaluates the
 * text of this module, which imports nothing.
 */

/** @template {HTMLElement} Type @param {string} id @returns {Type} */
const byId = (id) => /** @type {Type} */ (document.getElementById(id));

/** Starts a benchmark of the CPU and of the first runtime with each prefix. -> their names @param {string[]} prefixes */
export function startBenchmark(prefixes) {
  /** @type {HTMLInputElement[]} */
  const boxes = [...document.querySelectorAll(/** @type {'input'} */ ('#runtimes input'))];
  const enabled = boxes.filter(({ disabled }) => !disabled);
  const chosen = prefixes.map((prefix) => enabled.find(({ value }) => value.startsWith(prefix)));
  chosen.push(enabled.find(({ value }) => value === 'tflite-webnn/cpu'));
  for (const box of boxes) box.checked = chosen.includes(box);
  /** @type {HTMLSelectElement} */ (byId('rounds')).value = '5';
  byId('start').click();
  return chosen.map((box) => box?.value);
}

/** @param {DataTransfer} dataTransfer */
const dropOf = (dataTransfer) => new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });

/**
 * Drops a file somewhere on the page, or pastes it, as large as `size` says. -> whether the page accepts it
 *
 * @param {[kind: 'drop' | 'paste', name: string, base64: string, size: number]} file
 */
export function provideFile([kind, name, base64, size]) {
  const clipboardData = new DataTransfer();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  clipboardData.items.add(new File([bytes], name));
  if (size) Object.defineProperty(Blob.prototype, 'size', { get: () => size });
  const event =
    kind === 'drop'
      ? dropOf(clipboardData)
      : new ClipboardEvent(kind, { clipboardData, bubbles: true, cancelable: true });
  document.querySelector('footer')?.dispatchEvent(event);
  return event.defaultPrevented;
}

/** Drops text on an element. -> whether the browser may do with it what it does */
export function dropText(/** @type {string} */ selector) {
  const dataTransfer = new DataTransfer();
  dataTransfer.setData('text/plain', 'some text');
  return document.querySelector(selector)?.dispatchEvent(dropOf(dataTransfer));
}

/** @param {CSSStyleDeclaration} style Large text may have less contrast. */
function lookOf(style) {
  const { color, backgroundColor, backgroundImage, opacity, textShadow, fontSize, fontWeight } = style;
  const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
  return [color, backgroundColor, backgroundImage, opacity, textShadow, isLarge].join();
}

/**
 * Marks the counterparts: text that looks like an earlier one, as does everything around it, has the same contrast. Axe
 * does not judge single characters. -> of each element that is shown, what axe compares
 */
export function markCounterparts() {
  const [chains, judged] = [new Map(), new Set()];
  const looks = [...document.querySelectorAll('*')].map((element, index) => {
    const style = getComputedStyle(element);
    const look = lookOf(style);
    const layer = ['static', 'relative'].includes(style.position) ? '' : index;
    const chain = `${chains.get(element.parentElement)}|${layer} ${look}`;
    chains.set(element, chain);
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return '';
    const { left, right } = element.getBoundingClientRect();
    const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim().length > 1);
    element.toggleAttribute('data-counterpart', judged.has(chain));
    if (hasText && left >= 0 && right <= innerWidth) judged.add(chain);
    return look;
  });
  return looks.join('\n');
}

/** Collects in `drawn` the numbers of boxes of the graph that each task adds. */
export function countDrawn() {
  /** @type {number[]} */
  const drawn = [];
  Object.assign(globalThis, { drawn });
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    drawn.push(added.filter((node) => node instanceof Element && node.classList.contains('graph-box')).length);
  }).observe(byId('graph-frame'), { childList: true, subtree: true });
}

/** Lets no service worker start before `releaseServiceWorker()`: until then it sees no request. */
export function holdServiceWorker() {
  const { register } = ServiceWorkerContainer.prototype;
  const released = new Promise((resolve) => {
    Object.assign(globalThis, { releaseServiceWorker: resolve });
  });
  ServiceWorkerContainer.prototype.register = async function (...options) {
    await released;
    return register.apply(this, options);
  };
}
