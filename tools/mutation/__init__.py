"""Mutation testing: changes this project's own code and says which changes no test notices."""
