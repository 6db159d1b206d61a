// The example of the Python package in a page, with the addresses of the test server. ?wheel=NAME

import { showImages } from '/python_examples/images.mjs';

await showImages(document.getElementById('images'), {
  pyodide: '/pyodide/',
  wheel: `/wheel/${new URLSearchParams(location.search).get('wheel')}`,
  module: '/wheel/tflite_webnn.mjs',
  script: '/python_examples/images.py',
  classifier: '/models/efficientnet_lite0_int8.tflite',
  segmenter: '/models/deeplabv3_257.tflite',
  image: '/images/chelsea',
});
