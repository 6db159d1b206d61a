/** Times of nodes, in the client's format and as text. */

/** How long one node took in one run: a `ProfileItem` of `@tensorflow/tfjs-tflite`. */
export interface ProfileItem {
  readonly nodeType: string;
  readonly nodeName: string;
  readonly nodeExecMs: number;
}

interface Row {
  readonly title: string;
  runs: number;
  ms: number;
}

/** Collects the times of runs. */
export class Profile {
  #lastRun: readonly ProfileItem[] = [];
  readonly #nodes = new Map<string, Row>();
  readonly #types = new Map<string, Row>();

  /** The last run's nodes, in the order in which they ran. */
  get lastRun(): readonly ProfileItem[] {
    return this.#lastRun;
  }

  /** Takes the times of one run. */
  record(items: readonly ProfileItem[]): void {
    this.#lastRun = items;
    for (const { nodeType, nodeName, nodeExecMs } of items) {
      add(this.#nodes, `${nodeType} ${nodeName}`, nodeExecMs);
      add(this.#types, nodeType, nodeExecMs);
    }
  }

  /** Two tables, slowest first: all nodes, and all types of nodes; empty without a recorded run. */
  summary(): string {
    if (this.#nodes.size === 0) return '';
    return `${table('Nodes', this.#nodes)}\n${table('Types of nodes', this.#types)}`;
  }
}

function add(rows: Map<string, Row>, title: string, ms: number): void {
  const row = rows.get(title) ?? { title, runs: 0, ms: 0 };
  row.runs++;
  row.ms += ms;
  rows.set(title, row);
}

function table(title: string, rows: ReadonlyMap<string, Row>): string {
  const total = [...rows.values()].reduce((sum, { ms }) => sum + ms, 0);
  const share = (ms: number) => `${total === 0 ? '0.0' : ((100 * ms) / total).toFixed(1)} %`;
  const lines = [...rows.values()]
    .sort((a, b) => b.ms - a.ms)
    .map(({ title, runs, ms }) => line(`${(ms / runs).toFixed(3)}`, share(ms), String(runs), title));
  return `${title}\n${line('avg ms', 'share', 'times', 'what')}${lines.join('')}`;
}

function line(ms: string, share: string, times: string, what: string): string {
  return `${ms.padStart(10)}${share.padStart(9)}${times.padStart(8)}  ${what}\n`;
}
