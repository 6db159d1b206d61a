// The example of the Python package in a page, with the addresses of the test server. ?wheel=NAME

import { showPictures } from '/python_examples/pictures.mjs';

await showPictures(document.getElementById('pictures'), {
  pyodide: '/pyodide/',
  wheel: `/wheel/${new URLSearchParams(location.search).get('wheel')}`,
  module: '/wheel/tflite_webnn.mjs',
  script: '/python_examples/pictures.py',
  classifier: '/models/efficientnet_lite0_int8.tflite',
  segmenter: '/models/deeplabv3_257.tflite',
  picture: '/pictures/chelsea',
});
