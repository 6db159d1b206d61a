"""`python3 -m tools.fuzz`: loads seeded mutations of models in the compiled module, in Node."""
