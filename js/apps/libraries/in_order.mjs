/**
 * Arrays in a library's order: by name if it knows all the names, else unchanged.
 *
 * @param wanted - The library's names.
 * @param given - The names of `arrays`.
 */
export function inOrder(wanted, given, arrays) {
  const positions = wanted.map((name) => given.indexOf(name));
  return positions.every((position) => position >= 0) ? positions.map((position) => arrays[position]) : arrays;
}
