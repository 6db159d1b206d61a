"""Tests of the shared support, and the fixtures that the other tests of Python use, too."""
