"""The compiler: one small interface, and the three places where Emscripten of the pinned version comes from."""
