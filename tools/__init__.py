"""The command line of tflite-webnn and its tools."""
