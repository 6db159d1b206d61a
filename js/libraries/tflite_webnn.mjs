/**
 * This project's package.
 *
 * @param folder - The package's folder.
 */
export async function open({ folder }) {
  const { loadTFLiteModel } = await import(`${folder}index.mjs`);
  return {
    async load({ url, inputs: infos, signature, options }) {
      const model = await loadTFLiteModel(url, options);
      const entry = signature ? ofSignature(model, signature, infos) : ofModel(model);
      const report = { executionMode: model.executionMode, ...model.report };
      return { inputs: model.inputs, report, ...entry, dispose: () => model.dispose() };
    },
  };
}

function ofModel(model) {
  let outputs;
  return {
    outputNames: model.outputs.map(({ name }) => name),
    async run(inputs) {
      outputs = (await model.run(inputs, outputs)).map(({ data }) => data);
      return outputs;
    },
  };
}

function ofSignature(model, key, infos) {
  const outputNames = model.signatures.find((signature) => signature.key === key).outputs.map(({ name }) => name);
  let outputs = {};
  return {
    outputNames,
    async run(inputs) {
      const named = Object.fromEntries(infos.map(({ name }, position) => [name, inputs[position]]));
      const results = await model.runSignature(key, named, outputs);
      outputs = Object.fromEntries(outputNames.map((name) => [name, results[name].data]));
      return Object.values(outputs);
    },
  };
}
