"""Models on a GPU, in Node with Dawn: the directory for another machine, its result, and docs/reference/gpu.md."""
