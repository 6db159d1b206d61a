"""The seed by which tests draw a sample of the op cases. Any text; tools/suite/plugin.py sets it to the date."""

SEED_VARIABLE = "TFLITE_WEBNN_SAMPLE_SEED"
