"""`build.py fuzz`: mutated models, from a seed, through the compiled module in Node."""
