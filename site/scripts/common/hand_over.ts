/** Hands files that were dropped on one page to another: pages have no other common storage for files. */

const CACHE = 'tflite-webnn-handed-over';
const NAME_HEADER = 'X-Name';

/** Stores a file for the next page. */
export async function handOver(file: File): Promise<void> {
  const cache = await caches.open(CACHE);
  const headers = { [NAME_HEADER]: encodeURIComponent(file.name), 'Content-Type': file.type };
  await cache.put(`handed-over-${(await cache.keys()).length}`, new Response(file, { headers }));
}

/** Returns the files that a page has stored, and removes them. */
export async function takeHandedOver(): Promise<File[]> {
  const responses = await (await caches.open(CACHE)).matchAll();
  await caches.delete(CACHE);
  return Promise.all(responses.map(fileOf));
}

async function fileOf(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get(NAME_HEADER) ?? '');
  return new File([await response.blob()], name, { type: response.headers.get('Content-Type') ?? '' });
}
