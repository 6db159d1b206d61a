"""`python3 -m tools.probe`: tries every operator of a browser's WebNN at every rank and type that it promises."""
