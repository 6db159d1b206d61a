"""Modules for certain models, with only the kernels and the part of XNNPACK that these can reach."""
