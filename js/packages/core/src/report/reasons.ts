/** Reasons of many nodes as few lines, and long names as short ones. */

const MAX_NAME_LENGTH = 60;
const NAMED_TENSOR = /\btensor \d+ '[^']*'/g;
const NAMED_NODE = /\bnode \d+\b/g;
/** Digits of a name are read once. */
const DURATION = /(?<![\d.])\d+\.\d+(?= ms\b)/g;

/** A reason that several nodes share but for the tensors, nodes and times that it names. */
export interface SharedReason {
  /** How many nodes have it. */
  readonly count: number;
  readonly text: string;
}

/** A name of at most 60 characters: the middle of a longer one is left out. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const kept = MAX_NAME_LENGTH - 1;
  return `${name.slice(0, Math.ceil(kept / 2))}…${name.slice(-Math.floor(kept / 2))}`;
}

/** The same text with the names of its tensors shortened. */
export function withShortNames(text: string): string {
  return text.replace(/(\btensor \d+ ')([^']*)'/g, (_, start: string, name: string) => `${start}${shortName(name)}'`);
}

/** Reasons that differ only in what they name as one, the most frequent ones first. */
export function sharedReasons(reasons: readonly string[]): SharedReason[] {
  const shared = [...groupsOf(reasons.map(withShortNames), templateOf).values()].map((group) => ({
    count: group.length,
    text: textOf(group),
  }));
  return shared.sort((a, b) => b.count - a.count);
}

/** Values by key, in their order. */
export function groupsOf<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

function templateOf(reason: string): string {
  return reason.replace(NAMED_TENSOR, 'a tensor').replace(NAMED_NODE, 'a node').replace(DURATION, 'time');
}

/** The first reason, with ranges for times, and its tensors and nodes as examples where others have others. */
function textOf(group: readonly string[]): string {
  const [first = ''] = group;
  const durations = group.map((reason) => matchesOf(reason, DURATION).map(Number));
  let position = 0;
  const ranged = first.replace(DURATION, (own) => {
    const all = durations.map((row) => row[position] ?? Number(own));
    position++;
    const [least, most] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))].map((ms) =>
      ms.toFixed(2),
    );
    return least === most ? own : `${least} to ${most}`;
  });
  const example = (what: string, pattern: RegExp) => {
    const named = group.map((reason) => new Set(matchesOf(reason, pattern)));
    return (own: string) => (named.every((names) => names.has(own)) ? own : `${what} (such as ${own})`);
  };
  const named = ranged.replace(NAMED_NODE, example('a node', NAMED_NODE));
  return named.replace(NAMED_TENSOR, example('a tensor', NAMED_TENSOR));
}

function matchesOf(reason: string, pattern: RegExp): readonly string[] {
  return reason.match(pattern) ?? [];
}
