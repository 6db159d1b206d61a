"""Native LiteRT's answers, and the tolerances for other answers."""
