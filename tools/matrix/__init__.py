"""The matrix, every engine x execution x host x model: its axes and its result, which web_tests/tests/matrix fills."""
