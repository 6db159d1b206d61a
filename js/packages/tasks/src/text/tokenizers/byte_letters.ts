/** GPT-2's letters for bytes: those that cannot be printed are letters from 256 on. */

/** By byte. */
export function byteLetters(): string[] {
  let hidden = 256;
  const isShown = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isShown(byte) ? byte : hidden++));
}
