"""Steps that turn third-party sources and this project's C++ into WebAssembly modules."""
