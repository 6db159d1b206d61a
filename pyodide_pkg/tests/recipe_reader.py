"""Prints a recipe as pyodide-build reads it: runs in a Python that has it (tools.py)."""

import json
import sys
from pathlib import Path

import attrs
from pyodide_build.recipe.spec import MetaConfig

print(json.dumps(attrs.asdict(MetaConfig.from_yaml(Path(sys.argv[1]))), default=str))
