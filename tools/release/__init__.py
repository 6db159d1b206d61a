"""The files of a release: what npm, Pyodide, a static host and another build get, and the proofs that they work."""
