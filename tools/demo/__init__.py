"""`build.py demo`: models in a browser, on WebNN and on the CPU, interleaved."""
