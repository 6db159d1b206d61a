/**
 * Computes relu(a x b + c) with the present WebNN, in a window or in a worker; for test_polyfill.py.
 * Loaded as a classic script by pages and by importScripts(), and imported by modules.
 */
globalThis.runOnWebnn = async () => {
  const context = await navigator.ml.createContext();
  const builder = new MLGraphBuilder(context);
  const matrix = { dataType: 'float32', shape: [2, 2] };
  const product = builder.matmul(builder.input('a', matrix), builder.constant(matrix, new Float32Array([1, 2, 3, 4])));
  const graph = await builder.build({ b: builder.relu(builder.add(product, builder.constant('float32', -8))) });
  const a = await context.createTensor({ ...matrix, writable: true });
  const b = await context.createTensor({ ...matrix, readable: true });
  context.writeTensor(a, new Float32Array([1, 2, 3, 4]));
  context.dispatch(graph, { a }, { b });
  const values = [...new Float32Array(await context.readTensor(b))];
  context.destroy();
  const { engine } = navigator.ml.polyfill;
  return { engine, values, lost: (await context.lost).message, builder: `${builder}`, names: Object.keys(navigator) };
};
