"""Programs of wasm/programs, run where WebNN is: in a worker of a browser, of its own or the polyfill's, or in Node."""
