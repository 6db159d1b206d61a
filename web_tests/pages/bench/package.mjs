/** This project's package in any revision: with the calls that all of them have. */
export async function open() {
	const { loadTFLiteModel } = await import("/package/index.mjs");
	return {
		async load({ url, options }) {
			const model = await loadTFLiteModel(url, options);
			return {
				outputNames: model.outputs.map(({ name }) => name),
				run: async (inputs) =>
					(await model.run(inputs)).map(({ data }) => data),
				dispose: () => model.dispose(),
			};
		},
	};
}
