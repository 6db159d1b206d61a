"""Native LiteRT's outputs, and the tolerances for differing outputs."""
