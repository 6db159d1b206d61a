"""`build.py fuzz`: loads seeded mutations of models in the compiled module, in Node."""
