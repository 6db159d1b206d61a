/** Lines between landmarks. */

import type { Connection } from '../results.js';

/** The lines of paths: each goes from one landmark to the next. */
export function paths(...ways: readonly (readonly number[])[]): Connection[] {
  return ways.flatMap((way) => way.slice(1).map((end, index) => ({ start: way[index] as number, end })));
}
