/** Hands a file that was dropped on one page to another: pages have no other storage in common that takes files. */

const CACHE = 'tflite-webnn-handed-over';
const ADDRESS = 'handed-over';
const NAME_HEADER = 'X-Name';

/** Stores a file for the next page. */
export async function handOver(file: File): Promise<void> {
  const headers = { [NAME_HEADER]: encodeURIComponent(file.name), 'Content-Type': file.type };
  await (await caches.open(CACHE)).put(ADDRESS, new Response(file, { headers }));
}

/** Takes the file that a page has stored; null if there is none. */
export async function takeHandedOver(): Promise<File | null> {
  const response = await (await caches.open(CACHE)).match(ADDRESS);
  if (!response) return null;
  await caches.delete(CACHE);
  const { headers } = response;
  const name = decodeURIComponent(headers.get(NAME_HEADER) ?? '');
  return new File([await response.blob()], name, { type: headers.get('Content-Type') ?? '' });
}
