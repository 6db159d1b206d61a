/**
 * Arrays in a library's order: by name if it knows all the names, else unchanged.
 *
 * @param requested - The library's names.
 * @param provided - The names of `arrays`.
 */
export function inOrder(requested, provided, arrays) {
  const positions = requested.map((name) => provided.indexOf(name));
  return positions.every((position) => position >= 0) ? positions.map((position) => arrays[position]) : arrays;
}
