/** GPT-2's characters for bytes: those that cannot be printed are characters from 256 on. */

/** The character of each byte. */
export function byteLetters(): string[] {
  let hidden = 256;
  const isShown = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isShown(byte) ? byte : hidden++));
}
