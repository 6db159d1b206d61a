"""The browsers that tests and tools drive: found, installed, started."""
