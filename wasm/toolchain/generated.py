"""Generated headers that third-party code includes."""

from pathlib import Path

from support import cache
from support.paths import PROJECT_DIR
from wasm.toolchain.emscripten.toolchain import BuildPaths, Toolchain

# Schemas, and TensorFlow's directories for their headers. The second one is for programs that write models: the header
# in TensorFlow's sources only reads.
SCHEMAS = {
    "tensorflow/lite/delegates/xnnpack/weight_cache_schema.fbs": "tensorflow/lite/delegates/xnnpack",
    "tensorflow/compiler/mlir/lite/schema/schema.fbs": "tensorflow/compiler/mlir/lite/schema/mutable",
}
FLATC_MAIN = PROJECT_DIR / "wasm" / "third_party" / "compat" / "flatc_cpp_main.cc"
# Sources of the C++ generator in flatbuffers' src/.
FLATC_SOURCES = ("idl_parser.cpp", "idl_gen_cpp.cpp", "code_generators.cpp", "file_manager.cpp", "util.cpp")
FLATC_FLAGS = ("-std=c++17", "-O0", "-sNODERAWFS=1", "-sEXIT_RUNTIME=1", "-sALLOW_MEMORY_GROWTH=1", "-sSTACK_SIZE=1MB")


def make_headers(toolchain: Toolchain, sources: dict[str, Path]) -> Path:
    """Return the directory with the headers of SCHEMAS, `<schema>_generated.h`, at TensorFlow's paths.

    Emscripten compiles flatc and Node runs it, which needs no native compiler.

    Raises:
        CommandError: flatc cannot be compiled, or rejects a schema.
    """
    inputs = [
        FLATC_MAIN,
        *(sources["tensorflow"] / schema for schema in SCHEMAS),
        *(sources["flatbuffers"] / "src" / name for name in FLATC_SOURCES),
    ]
    key = cache.content_hash(inputs, extra=" ".join(FLATC_FLAGS))

    def create(directory: Path) -> None:
        for output in SCHEMAS.values():
            (directory / output).mkdir(parents=True)
        _generate(toolchain, BuildPaths(PROJECT_DIR, sources, directory, directory, directory))

    return cache.get(f"generated/{key}", create, title="Generating headers of schemas")


def _generate(toolchain: Toolchain, paths: BuildPaths) -> None:
    inside = toolchain.inside(paths)
    flatbuffers = inside.sources / "flatbuffers"
    program = str(inside.build / "flatc_cpp.js")
    files = [str(inside.project / "wasm" / "third_party" / "compat" / FLATC_MAIN.name)]
    files += [str(flatbuffers / "src" / name) for name in FLATC_SOURCES]
    includes = [f"-I{flatbuffers / directory}" for directory in ("include", "src")]
    toolchain.run(["em++", *FLATC_FLAGS, *includes, *files, "-o", program], paths)
    for schema, output in SCHEMAS.items():
        source = str(inside.sources / "tensorflow" / schema)
        toolchain.run(["node", program, source, f"{inside.generated / output}/"], paths)
