const warned = new Set<string>();

/** Warns in the console, once for each text: models of a page tend to have the same reason. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`tflite-webnn/litert: ${text}`);
}
