"""The compiler: one small interface, and two origins of the pinned Emscripten."""
