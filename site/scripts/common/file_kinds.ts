/** What a visitor's file is, by its first bytes and its name, and what to do with one that a page cannot take. */

/** Kinds that pages take; `other` is taken by none. */
export type FileKind = 'model' | 'bundle' | 'image' | 'sound' | 'text' | 'other';

/** A recognized file. */
export interface Recognized {
  readonly kind: FileKind;
  /** With an article: `an ONNX model`. */
  readonly what: string;
  /** What to do with it; empty where only another file helps. */
  readonly hint: string;
}

/** Whether a file is of a kind, by its first bytes as Latin-1 and its name. */
type Test = (head: string, name: string) => boolean;

const HEAD_BYTES = 1024;
// Of a zip archive's first file.
const ZIP_NAME_START = 30;

const AGAIN = 'Download it again, with the link to the file itself.';
const KERAS = 'Convert it to TensorFlow Lite with tf.lite.TFLiteConverter.';
const TORCH = 'Convert the model to TensorFlow Lite, e.g. with litert-torch.';
const ONNX = other('an ONNX model', 'Convert it to TensorFlow Lite, e.g. with onnx2tf.');
const BUNDLE: Recognized = { kind: 'bundle', what: 'a bundle of models', hint: '' };
const IMAGE_STARTS = /^(\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP|BM|.{4}ftyp(avif|hei|mif1)|(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<svg)/s;
const SOUND_STARTS = /^(RIFF.{4}WAVE|ID3|OggS|fLaC|\xff[\xfb\xf3\xf2]|.{4}ftypM4A)/s;
const TEXT = /^[\t\n\r\x20-\x7e\x80-\xff]*$/;

/** The first one that fits. */
const KINDS: readonly (readonly [Test, Recognized])[] = [
  [begins(/^$/), other('empty', AGAIN)],
  [begins(/^.{4}TFL3/s), { kind: 'model', what: 'a TensorFlow Lite model', hint: '' }],
  [zipOf(/\.(tflite|task)$/), BUNDLE],
  [(head, name) => called('.task')(head, name) && zipOf(/^/)(head, name), BUNDLE],
  [zipOf(/^(metadata|config)\.json$|\.weights\.h5$/), other('a Keras model', KERAS)],
  [zipOf(/data\.pkl$/), other('a PyTorch model', TORCH)],
  [zipOf(/^/), other('a zip archive', 'Unpack it, and choose the .tflite file in it.')],
  [begins(/^\x89HDF/), other('a Keras model in HDF5', KERAS)],
  [called('.mlmodel'), other('a Core ML model')],
  [begins(/^[\b][\x01-\x1f][\x12:]/), ONNX],
  [called('.onnx'), ONNX],
  [called('.pb'), other('a TensorFlow graph', `${KERAS} It takes the folder of the SavedModel.`)],
  [begins(/^GGUF/), other('a GGUF model')],
  [begins(/^.{6}\0\0\{"/s), other('a file of safetensors', TORCH)],
  [begins(/^\x80[\x02-\x05]/), other('a Python pickle', TORCH)],
  [begins(/^version https:\/\/git-lfs/), other('a Git LFS pointer, not the file itself', 'Fetch it with “git lfs pull”.')],
  [begins(/^\x1f\x8b/), other('gzip-compressed', 'Unpack it first.')],
  [begins(/^%PDF/), other('a PDF document')],
  [begins(/^\s*<(!doctype html|html|head)/i), other('a web page', `It was saved in place of the file. ${AGAIN}`)],
  [begins(/^\s*\{\s*"(format|modelTopology)"/), other('a TensorFlow.js model', 'Choose the .tflite file of the same model.')],
  [called('.model'), { kind: 'text', what: 'a SentencePiece model', hint: '' }],
  [begins(IMAGE_STARTS), { kind: 'image', what: 'an image', hint: '' }],
  [begins(SOUND_STARTS), { kind: 'sound', what: 'a sound', hint: '' }],
];

/** Recognizes a file. */
export async function recognize(file: File): Promise<Recognized> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  const name = file.name.toLowerCase();
  const known = KINDS.find(([test]) => test(head, name))?.[1];
  if (known) return known;
  if (file.type.startsWith('image/')) return { kind: 'image', what: 'an image', hint: '' };
  if (/^(audio|video)\//.test(file.type)) return { kind: 'sound', what: 'a sound', hint: '' };
  if (TEXT.test(head)) return { kind: 'text', what: 'a text file', hint: '' };
  return other('a file of an unknown kind', name.endsWith('.tflite') ? `It is damaged. ${AGAIN}` : '');
}

function other(what: string, hint = ''): Recognized {
  return { kind: 'other', what, hint };
}

function begins(start: RegExp): Test {
  return (head) => start.test(head);
}

function called(suffix: string): Test {
  return (_, name) => name.endsWith(suffix);
}

/** An archive whose first file has such a name; MediaPipe writes up to three zeros before it. */
function zipOf(first: RegExp): Test {
  return (head) => {
    const start = head.search(/[^\0]/);
    if (start < 0 || start > 3 || !/^PK(\x03\x04|\x05\x06)/.test(head.slice(start))) return false;
    const length = head.charCodeAt(start + 26);
    return first.test(head.slice(start + ZIP_NAME_START, start + ZIP_NAME_START + length));
  };
}
