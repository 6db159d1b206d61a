"""Runs in Pyodide: installs the wheel."""

from importlib.metadata import version


async def installed(url: str) -> str:
    """Install a wheel with micropip; return the version of this package."""
    import micropip

    await micropip.install(url)
    return version("tflite-webnn")
