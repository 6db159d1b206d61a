import { describe, expect, it } from 'vitest';
import { recognize } from '../common/file_kinds.js';

const zip = (name: string) => `PK\x03\x04${'\0'.repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}`;

/** A file whose bytes are the letters' codes. */
function fileOf(content: string, name: string, type = ''): File {
  return new File([Uint8Array.from(content, (letter) => letter.charCodeAt(0))], name, { type });
}

describe('recognize', () => {
  it.each([
    ['\x1c\0\0\0TFL3', 'a.tflite', 'model', 'a TensorFlow Lite model'],
    [zip('face_detector.tflite'), 'a.task', 'bundle', 'a bundle of models'],
    [`\0\0${zip('pose.tflite')}`, 'a.task', 'bundle', 'a bundle of models'],
    [zip('config.json'), 'a.keras', 'other', 'a Keras model'],
    [zip('archive/data.pkl'), 'a.pt', 'other', 'a PyTorch model'],
    [zip('readme.txt'), 'a.zip', 'other', 'a zip archive'],
    ['\x89HDF\r\n', 'a.h5', 'other', 'a Keras model in HDF5'],
    ['\b\x07\x12\x07pytorch', 'a.onnx', 'other', 'an ONNX model'],
    ['\b\x04\x12\x07', 'a.mlmodel', 'other', 'a Core ML model'],
    ['\n\x10', 'saved_model.pb', 'other', 'a TensorFlow graph'],
    ['GGUF\x03\0', 'a.gguf', 'other', 'a GGUF model'],
    ['\x40\x01\0\0\0\0\0\0{"w":', 'a.safetensors', 'other', 'a file of safetensors'],
    ['\x80\x02}q', 'a.pth', 'other', 'a Python pickle'],
    ['version https://git-lfs.github.com/spec/v1', 'a.tflite', 'other', 'a Git LFS pointer, not the file itself'],
    ['\x1f\x8b\b', 'a.gz', 'other', 'gzip-compressed'],
    ['<!DOCTYPE html><html>', 'a.tflite', 'other', 'a web page'],
    ['{"format": "layers-model"', 'model.json', 'other', 'a TensorFlow.js model'],
    ['', 'a.tflite', 'other', 'empty'],
    ['\x89PNG\r\n', 'a.png', 'image', 'an image'],
    ['<svg xmlns="">', 'a.svg', 'image', 'an image'],
    ['RIFF\0\0\0\0WAVE', 'a.wav', 'sound', 'a sound'],
    ['\0\0\0\x18ftypheix', 'a.heic', 'image', 'an image'],
    ['ID3\x03', 'a.mp3', 'sound', 'a sound'],
    ['\xff\xf3\x44', 'a.mp3', 'sound', 'a sound'],
    ['cat\ndog', 'labels.txt', 'text', 'a text file'],
    ['{"version": "1.0"', 'tokenizer.json', 'text', 'a text file'],
    ['\n\x0e\x01\x02', 'spm.model', 'text', 'a SentencePiece model'],
    ['\0\x01\x02', 'a.tflite', 'other', 'a file of an unknown kind'],
  ])('knows %j, %s', async (content, name, kind, what) => {
    expect(await recognize(fileOf(content, name))).toMatchObject({ kind, what });
  });

  it('knows texts with letters of any script', async () => {
    expect(await recognize(new File(['“ā”\n日本語'], 'labels.txt'))).toMatchObject({ kind: 'text' });
  });

  it('believes the browser where the bytes say nothing', async () => {
    expect((await recognize(fileOf('?', 'a', 'image/x'))).kind).toBe('image');
    expect((await recognize(fileOf('?', 'a', 'video/x'))).kind).toBe('sound');
  });

  it('says what to do with models of other formats', async () => {
    for (const [content, name, hint] of [
      ['\b\x07\x12\x07', 'a.onnx', 'onnx2tf'],
      ['\x89HDF', 'a.h5', 'TFLiteConverter'],
      [zip('archive/data.pkl'), 'a.pt', 'litert-torch'],
      [zip('readme.txt'), 'a.zip', 'Unpack it'],
      ['<html>', 'a.tflite', 'Download it again'],
    ] as const) {
      expect((await recognize(fileOf(content, name))).hint).toContain(hint);
    }
  });
});
