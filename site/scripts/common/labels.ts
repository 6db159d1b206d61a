/** Files of labels. */

/** The names of a model's classes, one a line. */
export async function readLabels(file: File): Promise<string[]> {
  return (await file.text()).trim().split(/\r?\n/);
}
