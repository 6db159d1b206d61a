'use client';

import { useEffect, useState } from 'react';
import { loadTFLiteModel } from 'tflite-webnn'; // the server imports it, too

export function Scores() {
  const [text, setText] = useState('loading');
  useEffect(() => {
    run().then(setText, (error) => setText(`${error}`));
  }, []);
  return <p>{text}</p>;
}

async function run() {
  const model = await loadTFLiteModel('model.tflite');
  const [scores] = await model.run(new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b)));
  console.log(model.executionMode, (await model.report()).webnn.reason, scores.data);
  return `${model.executionMode}: ${scores.data.join(', ')}`;
}
