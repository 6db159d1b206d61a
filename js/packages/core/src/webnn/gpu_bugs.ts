/**
 * Kinds of nodes that end the browser's GPU process, where WebNN computes, and the contexts of all pages with
 * it. One that was found is not tried again by this version of the browser. This module is the package's gpu_bugs.mjs:
 * it is loaded where there are such kinds, see context_losses.ts.
 */

import type { GraphPort, WebnnGraph } from '../description.js';
import { PortTensor, tensorsByPort } from '../tensors/model_tensors.js';
import {
  BUG_DATABASE,
  type BugRecord,
  type BugSearch,
  type ExcludedNode,
  type GpuBug,
  lossOf,
  type SearchedWebnn,
} from './excluded_nodes.js';
import { addOperands, buildGraph } from './graph_executor.js';
import {
  type HeapReader,
  kindsOf,
  nodeOfLabel,
  type Operands,
  operandsIn,
  SUSPICIOUS,
  splitLargeConstants,
  suspicionOf,
} from './graph_nodes.js';

export class GpuBugs implements BugRecord {
  readonly #reasons = new Map<string, string>();

  private constructor(private readonly store: BugStore | null) {}

  /**
   * Reads what earlier pages have found. Never rejects: without storage nothing is known.
   *
   * @param store - Where bugs outlive the page; null for what is known to this object alone.
   */
  static async load(store = bugStoreHere()): Promise<GpuBugs> {
    const bugs = new GpuBugs(store);
    bugs.add((await store?.read().catch(() => [])) ?? []);
    return bugs;
  }

  excludedIn(graph: WebnnGraph, operands: Operands): ExcludedNode[] {
    return Array.from(kindsOf(graph, operands)).flatMap(([label, kind]) => {
      const reason = this.#reasons.get(kind);
      return reason === undefined ? [] : [{ node: nodeOfLabel(label), reason }];
    });
  }

  async search(graphs: readonly WebnnGraph[], webnn: SearchedWebnn, heap: HeapReader): Promise<BugSearch> {
    const search = await findBug(graphs, webnn, heap);
    this.add(search.bugs);
    const [seen] = search.bugs;
    if (seen !== undefined) this.store?.write([seen]).catch(() => undefined); // this page knows what cannot be stored
    return search;
  }

  add(bugs: readonly GpuBug[]): void {
    for (const { kind, reason } of bugs) this.#reasons.set(kind, reason);
  }
}

/** Keeps bugs. Both methods reject where the browser denies storage. */
export interface BugStore {
  /** What was written by this version of the browser. */
  read(): Promise<readonly GpuBug[]>;
  /** Adds to it. What another version has written is deleted. */
  write(bugs: readonly GpuBug[]): Promise<void>;
}

interface StoredBugs {
  readonly browser: string;
  readonly bugs: readonly GpuBug[];
}

interface Environment {
  readonly indexedDB?: IDBFactory | undefined;
  readonly navigator?: { readonly userAgent?: string };
}

const STORE = 'gpu-bugs';
const KEY = 'bugs';
/** A load waits no longer: a database that another page blocks is as good as none. */
const TIMEOUT_MS = 1000;

/** The store of this thread's browser; null where there is none, as in Node. */
export function bugStoreHere(here: Environment = globalThis): BugStore | null {
  const { indexedDB, navigator } = here;
  if (!indexedDB) return null;
  return new IndexedDbStore(indexedDB, navigator?.userAgent ?? '');
}

class IndexedDbStore implements BugStore {
  constructor(
    private readonly factory: IDBFactory,
    private readonly browser: string,
  ) {}

  read(): Promise<readonly GpuBug[]> {
    return this.#use('readonly', (store) => this.#known(store));
  }

  write(bugs: readonly GpuBug[]): Promise<void> {
    return this.#use('readwrite', async (store) => {
      const kinds = new Map([...(await this.#known(store)), ...bugs].map((bug) => [bug.kind, bug]));
      await settled(store.put({ browser: this.browser, bugs: [...kinds.values()] } satisfies StoredBugs, KEY));
    });
  }

  async #known(store: IDBObjectStore): Promise<readonly GpuBug[]> {
    const stored = (await settled(store.get(KEY))) as StoredBugs | undefined;
    return stored?.browser === this.browser ? stored.bugs : [];
  }

  async #use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    const opening = this.factory.open(BUG_DATABASE);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await Promise.race([settled(opening), tooLate()]);
    try {
      return await work(database.transaction(STORE, mode).objectStore(STORE));
    } finally {
      database.close();
    }
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, TIMEOUT_MS, new Error('IndexedDB does not open')));
}

/** A graph of one node. */
interface Trial {
  readonly kind: string;
  readonly suspicion: number;
  readonly graph: WebnnGraph;
}

/** Far more than the nodes of real models need. */
const MAX_SEARCH_MS = 30_000;

/** What every browser computes: where it is lost over this, no graph is to blame. */
const CONTROL: WebnnGraph = {
  inputs: [{ id: 0, name: 'x', tensor: -1, dataType: 'float32', shape: [1] }],
  constants: [],
  operators: [{ op: 'add', label: 'control', args: [{ operand: 0 }, { operand: 0 }, {}], outputs: [1] }],
  outputs: [{ id: 1, name: 'y', tensor: -1, dataType: 'float32', shape: [1] }],
};

/**
 * Searches the nodes of a model's graphs for the one that ends the browser's GPU process, after a context was lost
 * while a graph was built or first run. The context is lost afterwards, unless all of them are harmless.
 *
 * Chromium provides no WebNN at all after the third crash, so the search affords a single one: each node runs alone, in
 * a new context and on zeros, the likeliest failing nodes last. Those before are known to be harmless when one crashes;
 * of those behind it, the suspicious ones are not tried any more.
 *
 * @param heap - Where the graphs' constants lie.
 */
export async function findBug(
  graphs: readonly WebnnGraph[],
  webnn: SearchedWebnn,
  heap: HeapReader,
): Promise<BugSearch> {
  if ((await lossOver(CONTROL, webnn, heap)) !== null) return notFound('unfit', 'also over a graph of one addition');
  const trials = (await Promise.all(graphs.map((graph) => trialsOf(splitLargeConstants(graph), webnn)))).flat();
  trials.sort((a, b) => a.suspicion - b.suspicion);
  const end = performance.now() + MAX_SEARCH_MS;
  for (const [position, trial] of trials.entries()) {
    if (performance.now() > end) break;
    const loss = await lossOver(trial.graph, webnn, heap);
    if (loss === null) continue;
    const reason = `the browser's GPU process crashed when it ran such a node alone, ${trial.kind} (${loss})`;
    const related = `not tried: the browser's GPU process crashed when it ran a node like it, ${trial.kind}`;
    const suspected = kindsBut(trial.kind, trials.slice(position + 1)).map((kind) => ({ kind, reason: related }));
    return { outcome: 'found', result: reason, bugs: [{ kind: trial.kind, reason }, ...suspected] };
  }
  return notFound('harmless', 'though each node of the model runs alone');
}

function notFound(outcome: BugSearch['outcome'], result: string): BugSearch {
  return { outcome, result, bugs: [] };
}

/** The other kinds of suspicious trials. */
function kindsBut(known: string, trials: readonly Trial[]): string[] {
  const suspected = trials.filter(({ kind, suspicion }) => suspicion >= SUSPICIOUS && kind !== known);
  return [...new Set(suspected.map(({ kind }) => kind))];
}

/** The graph's nodes, each for itself; none if the browser does not report types and shapes of operands. */
async function trialsOf(graph: WebnnGraph, { context, Builder }: SearchedWebnn): Promise<Trial[]> {
  const operands = await describeOperands(graph, new Builder(context)).catch(() => null);
  if (operands === null) return [];
  const kinds = kindsOf(graph, operands);
  return Array.from(kinds).flatMap(([label, kind]) => {
    const alone = graphOfNode(graph, label, operands);
    if (Number.isNaN(nodeOfLabel(label)) || alone === null) return [];
    return [{ kind, suspicion: suspicionOf(alone.operators, operands), graph: alone }];
  });
}

/** Constants become inputs: nothing is built, so their bytes need not be copied. */
async function describeOperands(
  { inputs, constants, operators }: WebnnGraph,
  builder: InstanceType<SearchedWebnn['Builder']>,
): Promise<Operands> {
  const provided = constants.map(({ id, dataType, shape }) => ({
    id,
    name: `constant${id}`,
    tensor: -1,
    dataType,
    shape,
  }));
  const graph = { inputs: [...inputs, ...provided], constants: [], operators, outputs: [] };
  return addOperands(graph, builder, () => new Uint8Array());
}

function graphOfNode(graph: WebnnGraph, label: string, operands: Operands): WebnnGraph | null {
  const operators = graph.operators.filter((operator) => operator.label === label);
  const written = new Set(operators.flatMap(({ outputs }) => outputs));
  const read = new Set(operators.flatMap(({ args }) => args.flatMap(operandsIn)));
  const constants = graph.constants.filter(({ id }) => read.has(id));
  const known = new Set([...written, ...constants.map(({ id }) => id)]);
  const inputs = [...read].filter((id) => !known.has(id)).map((id) => portOf(id, operands));
  const outputs = [...written].filter((id) => !read.has(id)).map((id) => portOf(id, operands));
  if (inputs.includes(null) || outputs.includes(null)) return null;
  return { inputs: inputs as GraphPort[], constants, operators, outputs: outputs as GraphPort[] };
}

function portOf(id: number, operands: Operands): GraphPort | null {
  const { dataType, shape } = operands.get(id) ?? {};
  return dataType && shape ? { id, name: `operand${id}`, tensor: -1, dataType, shape } : null;
}

/** Why the context is lost when it builds and runs a graph on zeros; null where it is not, though it may reject. */
async function lossOver(graph: WebnnGraph, webnn: SearchedWebnn, heap: HeapReader): Promise<string | null> {
  const { context, Builder } = webnn;
  const created: { destroy?(): void }[] = [];
  const tensorsOf = async (infos: readonly GraphPort[], readable: boolean): Promise<PortTensor[]> => {
    const tensors = await PortTensor.createAll(
      context,
      infos.map((port) => ({ port, readable })),
    );
    created.push(...tensors);
    return tensors;
  };
  try {
    const built = await buildGraph(graph, new Builder(context), heap);
    created.push(built);
    const [inputs, outputs] = [await tensorsOf(graph.inputs, false), await tensorsOf(graph.outputs, true)];
    context.dispatch(built, tensorsByPort(inputs), tensorsByPort(outputs));
    for (const { tensor } of outputs) await context.readTensor(tensor);
    return webnn.lostReason;
  } catch {
    return await lossOf(webnn);
  } finally {
    for (const one of created) one.destroy?.();
  }
}
