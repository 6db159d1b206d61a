"""The static server of tests and tools."""
