"""The command line of tflite-webnn, and the tools behind it."""
