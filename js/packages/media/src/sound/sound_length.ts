/** How long a sound file says that it lasts: decoding takes memory for all of it. */

const HEADER_BYTES = 44;
const MAX_PAGE_BYTES = 65_307;
const OPUS_RATE_HZ = 48_000;

/** Seconds of a WAV, FLAC, Ogg Opus or Ogg Vorbis file, from its headers; null for others, and where they do not say. */
export function soundSeconds(bytes: Uint8Array): number | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seconds = isText(view, 0, 'RIFF') ? ofWav(view) : isText(view, 0, 'fLaC') ? ofFlac(view) : ofOgg(view);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function isText(view: DataView, at: number, text: string): boolean {
  return (
    at >= 0 &&
    at + text.length <= view.byteLength &&
    [...text].every((c, i) => view.getUint8(at + i) === c.charCodeAt(0))
  );
}

/** By the bytes that the file has, which may be fewer than it says; of several formats, browsers read one or another. */
function ofWav(view: DataView): number {
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const sizeBytes = view.getUint32(at + 4, true);
    if (isText(view, at, 'fmt ') && at + 24 <= view.byteLength) {
      bytesPerSecond = Math.min(bytesPerSecond, bytesPerSecondOf(view, at + 8));
    }
    if (isText(view, at, 'data')) {
      const dataBytes = Math.min(sizeBytes, view.byteLength - at - 8);
      return bytesPerSecond === Number.POSITIVE_INFINITY ? Number.NaN : dataBytes / bytesPerSecond;
    }
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return Number.NaN;
}

/** The size of a frame may be false: decoders accept channels and bits. */
function bytesPerSecondOf(view: DataView, format: number): number {
  const [channels, bits] = [view.getUint16(format + 2, true), view.getUint16(format + 14, true)];
  const frame = Math.min(view.getUint16(format + 12, true) || Number.POSITIVE_INFINITY, (channels * bits) / 8 || 1);
  return view.getUint32(format + 4, true) * frame || Number.POSITIVE_INFINITY;
}

/** Its first block has a rate of 20 bits, and a number of samples of 36 bits, 0 where it is not known. */
function ofFlac(view: DataView): number {
  const rate = view.getUint32(18) >>> 12;
  const samples = (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22);
  return samples === 0 ? Number.NaN : samples / rate;
}

/** The last page says how many samples there are up to it. */
function ofOgg(view: DataView): number {
  const packet = 27 + view.getUint8(26);
  const isOpus = isText(view, packet, 'OpusHead');
  if (!isText(view, 0, 'OggS') || !(isOpus || isText(view, packet, '\x01vorbis'))) return Number.NaN;
  if (packet + 16 > view.byteLength) return Number.NaN;
  const rate = isOpus ? OPUS_RATE_HZ : view.getUint32(packet + 12, true);
  for (let at = view.byteLength - 27; at >= Math.max(0, view.byteLength - MAX_PAGE_BYTES); at--) {
    if (isText(view, at, 'OggS')) return Number(view.getBigInt64(at + 6, true)) / rate;
  }
  return Number.NaN;
}
