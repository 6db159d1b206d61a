/** What a visitor's file is, by its first bytes and its name, and what to do with one that a page cannot use. */

/** Kinds that pages accept; no page accepts `other`. */
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
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06'];

const AGAIN = 'Download it again, with the link to the file itself.';
const KERAS = 'Convert it to TensorFlow Lite with tf.lite.TFLiteConverter.';
const TORCH = 'Convert the model to TensorFlow Lite, e.g. with litert-torch.';
const ONNX = other('an ONNX model', 'Convert it to TensorFlow Lite, e.g. with onnx2tf.');
const IMAGE: Recognized = { kind: 'image', what: 'an image', hint: '' };
const SOUND: Recognized = { kind: 'sound', what: 'a sound', hint: '' };
const BUNDLE: Recognized = { kind: 'bundle', what: 'a bundle of models', hint: '' };

/** The first one that fits. */
const KINDS: readonly (readonly [Test, Recognized])[] = [
  [(head) => head === '', other('empty', AGAIN)],
  [at(4, 'TFL3'), { kind: 'model', what: 'a TensorFlow Lite model', hint: '' }],
  [zipOf(/\.(tflite|task)$/), BUNDLE],
  [(head, name) => called('.task')(head, name) && zipOf(/^/)(head, name), BUNDLE],
  [zipOf(/^(metadata|config)\.json$|\.weights\.h5$/), other('a Keras model', KERAS)],
  [zipOf(/data\.pkl$/), other('a PyTorch model', TORCH)],
  [zipOf(/^/), other('a zip archive', 'Unpack it, and choose the .tflite file in it.')],
  [at(0, '\x89HDF'), other('a Keras model in HDF5', KERAS)],
  [called('.mlmodel'), other('a Core ML model')],
  [begins(/^[\b]\p{Cc}[\p{Cc}:]/u), ONNX],
  [called('.onnx'), ONNX],
  [called('.pb'), other('a TensorFlow graph', `${KERAS} It converts the directory of the SavedModel.`)],
  [at(0, 'GGUF'), other('a GGUF model')],
  [at(6, '\0\0{"'), other('a file of safetensors', TORCH)],
  [begins(/^\x80\p{Cc}/u), other('a Python pickle', TORCH)],
  [at(0, 'version https://git-lfs'), other('a Git LFS pointer, not the file itself', 'Fetch it with “git lfs pull”.')],
  [at(0, '\x1f\x8b'), other('gzip-compressed', 'Unpack it first.')],
  [at(0, '%PDF'), other('a PDF document')],
  [begins(/^\s*<(!doctype html|html|head)/i), other('a web page', `It was saved in place of the file. ${AGAIN}`)],
  [
    begins(/^\s*\{\s*"(format|modelTopology)"/),
    other('a TensorFlow.js model', 'Choose the .tflite file of the same model.'),
  ],
  [called('.model'), { kind: 'text', what: 'a SentencePiece model', hint: '' }],
  [at(0, '\x89PNG', '\xff\xd8\xff', 'GIF8', 'BM'), IMAGE],
  [at(8, 'WEBP', 'avif', 'hei', 'mif1'), IMAGE],
  [begins(/^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<svg/s), IMAGE],
  [at(0, 'ID3', 'OggS', 'fLaC', '\xff\xfb', '\xff\xf3', '\xff\xf2'), SOUND],
  [at(8, 'WAVE', 'M4A'), SOUND],
];

/** Recognizes a file. */
export async function recognize(file: File): Promise<Recognized> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  const name = file.name.toLowerCase();
  const known = KINDS.find(([test]) => test(head, name))?.[1];
  if (known) return known;
  if (file.type.startsWith('image/')) return IMAGE;
  if (/^(audio|video)\//.test(file.type)) return SOUND;
  if (isText(bytes)) return { kind: 'text', what: 'a text file', hint: '' };
  return other('a file of an unknown kind', name.endsWith('.tflite') ? `It is damaged. ${AGAIN}` : '');
}

/** UTF-8 has bytes that are control characters of Latin-1. */
function isText(bytes: Uint8Array): boolean {
  return !/\p{Cc}/u.test(new TextDecoder().decode(bytes).replace(/\s/g, ''));
}

function other(what: string, hint = ''): Recognized {
  return { kind: 'other', what, hint };
}

function begins(start: RegExp): Test {
  return (head) => start.test(head);
}

/** Whether one of the texts stands at a byte. */
function at(byte: number, ...texts: readonly string[]): Test {
  return (head) => texts.some((text) => head.startsWith(text, byte));
}

function called(suffix: string): Test {
  return (_, name) => name.endsWith(suffix);
}

/** An archive whose first file has such a name; MediaPipe writes up to three zeros before it. */
function zipOf(first: RegExp): Test {
  return (head) => {
    const start = head.indexOf('PK');
    if (start < 0 || start > 3 || !ZIP_STARTS.some((text) => head.startsWith(text, start))) return false;
    const length = head.charCodeAt(start + 26);
    return first.test(head.slice(start + ZIP_NAME_START, start + ZIP_NAME_START + length));
  };
}
