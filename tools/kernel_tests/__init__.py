"""TFLite's own tests of its kernels, with the delegate applied: results, delegation, failures with reasons."""
