// Before any clock starts.
const image = new Image();
image.src = '/images/astronaut';
await image.decode();

/**
 * MediaPipe's vision tasks, unmodified or this project's: a task's method on one image, or those of several tasks.
 *
 * @param script - Address of the package's script.
 * @param wasm - Directory of the wasm modules of the unmodified package.
 * @param needsGpu - Whether WebGL must not run in software.
 * @param cores - What the page reports as the machine's logical cores, half of which are this project's threads.
 */
export async function open({ script, wasm, needsGpu, cores }) {
  if (needsGpu && isSoftware()) throw new Error('there is no GPU: WebGL runs in software');
  if (cores) Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores });
  const vision = await import(script);
  const fileset = await vision.FilesetResolver.forVisionTasks(wasm);
  return {
    async load({ url, options: { tasks, delegate, isArchive } }) {
      const archive = isArchive ? await openArchive(url) : null;
      const opened = [];
      for (const { name, method, options } of tasks) {
        const asset = archive ? { modelAssetBuffer: archive.bytes(name) } : { modelAssetPath: url };
        const baseOptions = { ...asset, delegate };
        opened.push({ method, task: await vision[name].createFromOptions(fileset, { ...options, baseOptions }) });
      }
      let hasRun = false;
      return {
        outputNames: [],
        async run() {
          for (const { task, method } of opened) {
            // The first result comes as soon as possible, the others from WebNN.
            if (hasRun && method.endsWith('Async')) await task.prepareAsync();
            const result = await task[method](image);
            for (const mask of result.confidenceMasks ?? []) mask.getAsFloat32Array();
            result.close?.();
          }
          hasRun = true;
          return [];
        },
        dispose: () => opened.forEach(({ task }) => task.close()),
      };
    },
  };
}

async function openArchive(url) {
  const { openTaskBundle } = await import('/package/metadata.mjs');
  return openTaskBundle(new Uint8Array(await (await fetch(url)).arrayBuffer()));
}

function isSoftware() {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  return !names || /SwiftShader|llvmpipe/.test(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
}
