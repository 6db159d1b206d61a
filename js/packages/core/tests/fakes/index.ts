/** What the tests of other packages use of these fakes. */

export { type FakeRunner, FakeWasm } from './fake_wasm.js';
export { FakeContext, FakeGraphBuilder } from './fake_webnn.js';
export { loadOn } from './load_fake.js';
export { describedModel } from './metadata_model.js';
export { loader } from './replaceable_loader.js';
export { DIRECT, expected, ON_CPU, STEPPED, sinRunner } from './sin_model.js';
export { SIN_MODEL, writeModel } from './tiny_model.js';
export { TOTAL_DIRECT, TOTAL_ON_CPU, totalRunner } from './total_model.js';
