"""The compiler: one small interface, and three sources of the pinned Emscripten."""
