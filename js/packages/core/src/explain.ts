/**
 * What the delegate makes of a model, without running it: reports from saved limits, graphs as files, where TFLite
 * puts its tensors, and the file's metadata. A second entry point of the package, for tools; pages that only run models do not carry it.
 *
 * @module tflite-webnn/explain
 */

export type { GraphConstant, GraphOperator, GraphPort, IndexLimit, WebnnGraph } from './description.js';
export type { AllocationType, GraphNode, PlannedTensor, SubgraphMemory } from './explain/arena.js';
export {
  describeFile,
  type FileDescription,
  type MetadataDescription,
  type PackedFile,
  renderMetadata,
} from './explain/describe_file.js';
export {
  type Explanation,
  type ExplanationOptions,
  explainModel,
  type UnsupportedSubgraph,
} from './explain/explain_model.js';
export { exportGraphsAsJson, exportGraphsAsScript } from './explain/graph_files.js';
export {
  type DelegatedMemory,
  type MemoryPlan,
  type MemoryPlanOptions,
  planMemory,
  renderMemoryPlan,
} from './explain/memory_plan.js';
export { renderReport } from './report/render_report.js';
export type { HeapReader } from './webnn/graph_nodes.js';
