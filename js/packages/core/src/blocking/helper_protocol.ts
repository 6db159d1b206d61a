/** What the thread that waits and its helper worker say to each other. Questions are messages; answers lie in a Mailbox. */

import type { GraphPort, WebnnGraph } from '../description.js';
import { elementCount } from '../dtypes.js';
import type { WebnnDelegateOptions } from '../options.js';
import type { DeniedNode } from '../webnn/denied_nodes.js';
import type { FaultSearch, GpuFault } from '../webnn/gpu_fault.js';
import type { MLOperandDataType, MLOpSupportLimits } from '../webnn_types.js';

/** How a context is wished for. */
export interface ContextWish extends Pick<WebnnDelegateOptions, 'devicePreference' | 'powerPreference' | 'polyfill'> {
  /** Where the polyfill finds the wasm module. */
  readonly wasmPath?: string | undefined;
}

/** A graph with what it is made of. */
interface GraphRequest {
  readonly context: number;
  readonly description: WebnnGraph;
  /** The bytes of the description's constants, in their order. */
  readonly constants: readonly Uint8Array<ArrayBuffer>[];
}

/** A graph to search for the node of which the browser's GPU process has died. */
export interface SearchRequest extends GraphRequest {
  readonly kind: 'search';
}

/** A graph to build. */
export interface BuildRequest extends GraphRequest {
  readonly kind: 'build';
  /** The number by which the graph is known from now on. */
  readonly graph: number;
  /** Where inputs are found and outputs are left, see {@link portRanges}. */
  readonly memory: SharedArrayBuffer;
}

/** A context to make, or another one of the same number where that was lost. */
export interface OpenRequest {
  readonly kind: 'open';
  readonly context: number;
  readonly wish: ContextWish;
  readonly isAgain: boolean;
  /** What helpers before this one have found. */
  readonly faults: readonly GpuFault[];
}

/** Something that the helper does. `release` and `close` are not answered. */
export type HelperRequest =
  | OpenRequest
  | BuildRequest
  | SearchRequest
  | { readonly kind: 'dispatch'; readonly graph: number }
  | { readonly kind: 'release'; readonly graph: number }
  | { readonly kind: 'close'; readonly context: number };

/** A context that was made. */
export interface OpenAnswer {
  readonly kind: 'open';
  readonly limits: MLOpSupportLimits;
  readonly backend: string | null;
}

/** The outcome. `node` is the refused node, if the browser names it. */
export type HelperAnswer =
  | OpenAnswer
  | { readonly kind: 'built'; readonly devices: readonly string[] | null }
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'refused'; readonly message: string; readonly node: number | null }
  | { readonly kind: 'known faults'; readonly nodes: readonly DeniedNode[] }
  /** Why the context is lost now, and null where it is not. */
  | { readonly kind: 'searched'; readonly search: FaultSearch; readonly reason: string | null }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string };

/** The memory of one input or output of a graph. */
export interface PortRange {
  readonly port: GraphPort;
  readonly offset: number;
  readonly byteLength: number;
}

/** Where a graph's inputs and outputs lie in its shared memory. */
export interface PortRanges {
  readonly inputs: readonly PortRange[];
  readonly outputs: readonly PortRange[];
  readonly byteLength: number;
}

/** What every typed array is content with. */
const ALIGNMENT_BYTES = 8;

const ELEMENT_BYTES: Readonly<Partial<Record<MLOperandDataType, number>>> = {
  int64: 8,
  uint64: 8,
  float32: 4,
  int32: 4,
  uint32: 4,
  float16: 2,
  int8: 1,
  uint8: 1,
};

/** The layout of a graph's shared memory: inputs, then outputs, as TFLite has them (an int16 tensor has two bytes). */
export function portRanges({ inputs, outputs }: Pick<WebnnGraph, 'inputs' | 'outputs'>): PortRanges {
  let end = 0;
  const place = (port: GraphPort): PortRange => {
    const byteLength = elementCount(port.shape) * elementBytes(port);
    const offset = end;
    end += Math.ceil(byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    return { port, offset, byteLength };
  };
  const [inputRanges, outputRanges] = [inputs.map(place), outputs.map(place)];
  return { inputs: inputRanges, outputs: outputRanges, byteLength: end };
}

function elementBytes({ dataType, tensorType }: GraphPort): number {
  const bytes = tensorType === 'int16' ? 2 : ELEMENT_BYTES[dataType];
  if (bytes === undefined) throw new TypeError(`no tensor of TFLite crosses the boundary as ${dataType}`);
  return bytes;
}
