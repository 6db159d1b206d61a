"""Models on a GPU, in Node with Dawn: the folder for another machine, its result, and docs/reference/gpu.md."""
