"""Modules for certain models: only the kernels, and only that part of XNNPACK, which these can reach."""
