// The audio thread's part.

import { COEFFICIENTS, FRAME, HOP, mfcc } from './mfcc.js';

class KeywordSpotter extends AudioWorkletProcessor {
  constructor({ processorOptions: { module, model } }) {
    super();
    this.model = globalThis.tfliteCpu.createTFLite({ module }).loadModel(model);
    this.features = new Float32Array(this.model.inputs[0].shape.reduce((a, b) => a * b));
    this.sound = new Float32Array(FRAME);
    this.length = 0;
    this.model.predict(this.features); // the first run also compiles
  }

  process([[sound]]) {
    for (const sample of sound ?? []) {
      this.sound[this.length++] = sample;
      if (this.length === FRAME) this.spot();
    }
    return true;
  }

  spot() {
    const { features, sound } = this;
    features.copyWithin(0, COEFFICIENTS);
    mfcc(sound, features.subarray(-COEFFICIENTS));
    this.port.postMessage(this.model.predict(features));
    sound.copyWithin(0, HOP);
    this.length -= HOP;
  }
}

registerProcessor('keyword-spotter', KeywordSpotter);
