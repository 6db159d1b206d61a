import { loadTFLiteModel } from 'tflite-webnn';

const file = await (await fetch('sound.wav')).arrayBuffer();
const sound = await new OfflineAudioContext(1, 1, 22050).decodeAudioData(file);
const model = await loadTFLiteModel('basic_pitch_nmp.tflite');
const [{ name, shape }] = model.inputs; // [1, 43844, 1]: two seconds
const samples = new Float32Array(shape[1]);
samples.set(sound.getChannelData(0).subarray(0, shape[1]));
const { note } = await model.run({ [name]: samples }); // for each frame of 12 ms: 88 piano keys
const middle = note.data.subarray(86 * 88, 87 * 88);
console.table([...middle].map((score, key) => ({ midi: key + 21, score })).filter(({ score }) => score > 0.5));
