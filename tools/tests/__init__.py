"""Tests of the command line, the shared support and the tools."""
