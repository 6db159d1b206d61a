/** Text files with an entry a line. */

/** The lines that are not empty: others do not count, as in TFLite's task library. */
export function nonEmptyLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
