/**
 * This project's package.
 *
 * @param directory - The package's directory.
 */
export async function open({ directory }) {
  const { loadTFLiteModel } = await import(`${directory}index.mjs`);
  return {
    async load({ url, inputs: infos, signature, residentNames = [], options }) {
      const model = await loadTFLiteModel(url, options);
      const entry = signature ? ofSignature(model, signature, infos, residentNames) : ofModel(model);
      const report = { executionMode: model.executionMode, ...(await model.report()) };
      return { inputs: model.inputs, report, ...entry, dispose: () => model.dispose() };
    },
  };
}

function ofModel(model) {
  let outputs = [];
  return {
    outputNames: model.outputs.map(({ name }) => name),
    async run(inputs) {
      outputs = (await model.run(inputs, { outputs })).map(({ data }) => data);
      return outputs;
    },
  };
}

function ofSignature(model, key, infos, residentNames) {
  const outputNames = model.signatures.find((signature) => signature.key === key).outputs.map(({ name }) => name);
  const runner = (kept, options) => {
    const isProvided = (name) => !kept.includes(name);
    let outputs = {};
    return async (inputs) => {
      const named = infos.flatMap(({ name }, position) => (isProvided(name) ? [[name, inputs[position]]] : []));
      const results = await model.runSignature(key, Object.fromEntries(named), { ...options, outputs });
      outputs = Object.fromEntries(outputNames.filter(isProvided).map((name) => [name, results[name].data]));
      return Object.values(outputs);
    };
  };
  let runResident;
  return {
    outputNames,
    run: runner([], {}),
    async runAgain(inputs) {
      runResident ??= runner(
        residentNames,
        residentNames.length > 0 ? { state: await model.createState(residentNames) } : {},
      );
      return runResident(inputs);
    },
  };
}
