"""The matrix, every engine x execution x place x model: its axes and its result, which web_tests/tests/matrix fills."""
