/**
 * Zip archives, also those that are appended to a model file. fflate unpacks; its `unzip()` would copy stored entries, knows
 * no offsets from a model in front, and checks neither checksums nor sizes. It has 0.8 kB with gzip more than its `inflate()`.
 */

import { ArchiveError } from '../errors.js';

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;
/** Deflate makes at most this many bytes of one. */
const MAX_DEFLATE_RATIO = 1032;
/** Files unpack to 1 MB, or to so many times their size: models and labels have a third of that at most. */
const [MAX_SMALL_BYTES, MAX_RATIO] = [2 ** 20, 30];
/** Of a text: the longest that models have are vocabularies of 33 MB. */
const MAX_TEXT_BYTES = 2 ** 26;

/** Where the archive at the end of a file is. */
interface Directory {
  /** Offsets count from here, often from the model in front of the archive: below 0 where that was cut off. */
  readonly start: number;
  readonly at: number;
  readonly count: number;
}

/** Unpacks deflated bytes into `out`. */
export type Inflate = (packed: Uint8Array, options: { out: Uint8Array }) => Uint8Array;

/** An entry of the directory. */
interface Header {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly crc: number;
  /** Of its local header. */
  readonly at: number;
}

/** A file in an archive. */
export class ArchiveEntry {
  /** Its path, parts separated by `/`. */
  readonly name: string;
  /** Unpacked. */
  readonly sizeBytes: number;
  /** Whether it has to be unpacked; the bytes of a stored file are the archive's own. */
  readonly isCompressed: boolean;
  readonly #header: Header;
  readonly #packed: Uint8Array;
  readonly #inflate: Inflate | null;

  /** @internal */
  constructor(header: Header, packed: Uint8Array, inflate: Inflate | null) {
    this.name = header.name;
    this.sizeBytes = header.sizeBytes;
    this.isCompressed = header.method === DEFLATED;
    this.#header = header;
    this.#packed = packed;
    this.#inflate = inflate;
  }

  /**
   * The file's bytes. Those of a stored file are a view into the archive, and its checksum is not computed.
   *
   * @throws ArchiveError where a compressed file is damaged.
   */
  bytes(): Uint8Array {
    return this.isCompressed ? this.#checked(this.#unpack()) : this.#packed;
  }

  /**
   * The file as text.
   *
   * @throws ArchiveError where it is damaged, or not UTF-8.
   */
  text(): string {
    if (this.sizeBytes > MAX_TEXT_BYTES) {
      throw unsupported(`${this.name} is a text of ${this.sizeBytes} bytes, at most ${MAX_TEXT_BYTES} can be`);
    }
    const bytes = this.isCompressed ? this.bytes() : this.#checked(this.#packed);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.slice()); // shared memory cannot be decoded
    } catch (cause) {
      throw new ArchiveError('NOT_TEXT', `${this.name} is not UTF-8 text.`, { cause });
    }
  }

  #unpack(): Uint8Array {
    const limit = Math.max(MAX_SMALL_BYTES, this.#packed.length * MAX_RATIO);
    if (this.sizeBytes > limit) {
      throw unsupported(
        `${this.name} unpacks to ${this.sizeBytes} bytes, at most ${limit} can be of ${this.#packed.length}`,
      );
    }
    try {
      return (this.#inflate as Inflate)(this.#packed, { out: new Uint8Array(this.sizeBytes) });
    } catch (cause) {
      throw damaged(`${this.name} cannot be unpacked`, cause);
    }
  }

  #checked(bytes: Uint8Array): Uint8Array {
    if (bytes.length === this.sizeBytes && crc32(bytes) === this.#header.crc) return bytes;
    throw damaged(`the checksum of ${this.name} is wrong`);
  }
}

/** Files by their names; of equal names, the first one. */
export function filesByName(files: readonly ArchiveEntry[]): ReadonlyMap<string, ArchiveEntry> {
  return new Map([...files].reverse().map((file) => [file.name, file]));
}

/**
 * Finds the archive at the end of a file, without the model in front of it.
 *
 * @returns Its first byte; null where there is none.
 * @throws ArchiveError where the end of an archive is there, and not its beginning.
 */
export function findArchive(bytes: Uint8Array): number | null {
  const directory = findDirectory(bytes);
  if (directory === null) return null;
  const { start, at: end } = directory;
  const first = readHeaders(bytes, directory).reduce((least, { at }) => Math.min(least, start + at), end);
  if (first < 0) throw damaged(`it begins ${-first} bytes before the file`);
  return first;
}

/** Whether a file of the archive is compressed. */
export function needsInflate(bytes: Uint8Array): boolean {
  const directory = findDirectory(bytes);
  return directory !== null && readHeaders(bytes, directory).some(({ method }) => method === DEFLATED);
}

/**
 * Lists the files of the archive at the end of `bytes`, in its order, without directories.
 *
 * @param inflate - Null where no file is compressed.
 * @throws ArchiveError where it is damaged, encrypted, packed by other methods than deflate, or has paths that leave it.
 */
export function readArchive(bytes: Uint8Array, inflate: Inflate | null): ArchiveEntry[] {
  const directory = findDirectory(bytes);
  if (directory === null) throw damaged('it has no directory at its end');
  const headers = readHeaders(bytes, directory).filter(({ name }) => !name.endsWith('/'));
  for (const { name } of headers) checkPath(name);
  const entries = headers.map((header) => new ArchiveEntry(header, packedBytes(bytes, header, directory), inflate));
  // Entries that share bytes unpack a small file to gigabytes.
  const packed = headers.reduce((sum, { packedBytes: count }) => sum + count, 0);
  if (packed > bytes.length) throw damaged(`its files have ${packed} bytes, and it has ${bytes.length}: they overlap`);
  return entries;
}

function findDirectory(bytes: Uint8Array): Directory | null {
  const view = viewOf(bytes);
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  // The search for its first byte is native: a loop over 65,536 bytes is not yet compiled when the first model loads.
  const tail = bytes.subarray(lowest, Math.max(lowest, bytes.length - END_BYTES + 1));
  for (let found = tail.lastIndexOf(END & 0xff); found >= 0; found = tail.subarray(0, found).lastIndexOf(END & 0xff)) {
    const at = lowest + found;
    const isEnd = view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === bytes.length;
    if (isEnd) return directoryAt(view, at);
  }
  return null;
}

function directoryAt(view: DataView, at: number): Directory {
  const [disk, count, sizeBytes, offset] = [
    view.getUint32(at + 4, true),
    view.getUint16(at + 10, true),
    view.getUint32(at + 12, true),
    view.getUint32(at + 16, true),
  ];
  if (disk !== 0 || offset === 0xffffffff) {
    throw new ArchiveError(
      'UNSUPPORTED_ARCHIVE',
      'The archive has several disks, or is Zip64; pack it as one plain zip.',
    );
  }
  if (sizeBytes > at) throw damaged(`its directory of ${sizeBytes} bytes is not in the file`);
  return { start: at - sizeBytes - offset, at: at - sizeBytes, count };
}

function readHeaders(bytes: Uint8Array, { at: first, count }: Directory): Header[] {
  const view = viewOf(bytes);
  const headers: Header[] = [];
  let at = first;
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL) {
      throw damaged(`its directory ends after ${index} of ${count} entries`);
    }
    const end = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.slice(at + CENTRAL_BYTES, end));
    if (view.getUint16(at + 8, true) & ENCRYPTED_FLAG) {
      throw unsupported(`${name} is encrypted`);
    }
    headers.push({
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      sizeBytes: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at = end + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return headers;
}

function packedBytes(bytes: Uint8Array, header: Header, { start, at: end }: Directory): Uint8Array {
  const { name, method, packedBytes: length, sizeBytes } = header;
  const view = viewOf(bytes);
  const at = start + header.at;
  if (at < 0 || at + LOCAL_BYTES > end || view.getUint32(at, true) !== LOCAL)
    throw damaged(`${name} has no header at byte ${at}`);
  const first = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (first + length > end) throw damaged(`${name} has ${length} bytes at ${first}, beyond the directory at ${end}`);
  if (method !== STORED && method !== DEFLATED) {
    throw unsupported(`${name} is packed by method ${method}`);
  }
  const isPossible = method === STORED ? sizeBytes === length : sizeBytes <= length * MAX_DEFLATE_RATIO;
  if (!isPossible) throw damaged(`${name} cannot have ${sizeBytes} bytes, packed into ${length}`);
  return bytes.subarray(first, first + length);
}

/** Whoever unpacks the archive into a directory would write outside of it. */
function checkPath(name: string): void {
  const isBad = name === '' || /^[/\\]|^[a-z]:|\\|\0|(^|\/)\.\.(\/|$)/i.test(name);
  if (!isBad) return;
  const message = `The archive has a file of the path ${JSON.stringify(name)}, which leads out of it. Do not use it.`;
  throw new ArchiveError('ARCHIVE_PATH', message, { details: { path: name } });
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function unsupported(problem: string): ArchiveError {
  return new ArchiveError(
    'UNSUPPORTED_ARCHIVE',
    `Cannot read the zip archive: ${problem}. Store the files, or deflate them.`,
  );
}

function damaged(problem: string, cause?: unknown): ArchiveError {
  const message = `The zip archive is damaged: ${problem}. Fetch or make the file again.`;
  return new ArchiveError('DAMAGED_ARCHIVE', message, cause === undefined ? {} : { cause });
}

const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
  return remainder;
});

export function crc32(bytes: Uint8Array): number {
  let remainder = ~0;
  for (let index = 0; index < bytes.length; index++) {
    remainder = (remainder >>> 8) ^ (TABLE[(remainder ^ (bytes[index] as number)) & 0xff] as number);
  }
  return ~remainder >>> 0;
}
