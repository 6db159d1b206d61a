/** This project's package. */
export async function open() {
  const { loadTFLiteModel } = await import('/package/index.mjs');
  return {
    async load({ url, options }) {
      const model = await loadTFLiteModel(url, options);
      let outputs;
      return {
        outputNames: model.outputs.map(({ name }) => name),
        report: { executionMode: model.executionMode, ...model.report },
        async run(inputs) {
          outputs = await model.run(inputs, outputs);
          return outputs;
        },
        dispose: () => model.dispose(),
      };
    },
  };
}
