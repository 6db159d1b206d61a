"""Tests of the toolchain, with fake programs."""
