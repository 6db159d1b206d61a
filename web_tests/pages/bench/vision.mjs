// Before any clock starts.
const image = new Image();
image.src = '/images/astronaut';
await image.decode();

/**
 * MediaPipe's vision tasks, unmodified or this project's: a task's method on one image.
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
    async load({ url, options: { task: name, method, options, delegate } }) {
      const baseOptions = { modelAssetPath: url, delegate };
      const task = await vision[name].createFromOptions(fileset, { ...options, baseOptions });
      let hasRun = false;
      return {
        outputNames: [],
        async run() {
          // The first result comes as soon as possible, the others from WebNN.
          if (hasRun && method.endsWith('Async')) await task.prepareAsync();
          hasRun = true;
          const result = await task[method](image);
          for (const mask of result.confidenceMasks ?? []) mask.getAsFloat32Array();
          result.close?.();
          return [];
        },
        dispose: () => task.close(),
      };
    },
  };
}

function isSoftware() {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  return !names || /SwiftShader|llvmpipe/.test(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
}
