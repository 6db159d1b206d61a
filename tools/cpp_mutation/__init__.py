"""Edits of the C++ that its unit tests should notice."""
