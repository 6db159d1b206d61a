/**
 * Arrays in the order in which a library wants them: by name where it knows all the names, else as they are.
 *
 * @param wanted - The library's names.
 * @param given - The names of `arrays`.
 */
export function inOrder(wanted, given, arrays) {
  const positions = wanted.map((name) => given.indexOf(name));
  return positions.every((position) => position >= 0) ? positions.map((position) => arrays[position]) : arrays;
}
