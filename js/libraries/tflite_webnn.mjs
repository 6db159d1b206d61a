/**
 * This project's package.
 *
 * @param folder - The package's folder.
 */
export async function open({ folder }) {
  const { loadTFLiteModel } = await import(`${folder}index.mjs`);
  return {
    async load({ url, options }) {
      const model = await loadTFLiteModel(url, options);
      let outputs;
      return {
        inputs: model.inputs,
        outputNames: model.outputs.map(({ name }) => name),
        report: { executionMode: model.executionMode, ...model.report },
        async run(inputs) {
          outputs = (await model.run(inputs, outputs)).map(({ data }) => data);
          return outputs;
        },
        dispose: () => model.dispose(),
      };
    },
  };
}
