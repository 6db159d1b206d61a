"""What native LiteRT answers, and how far an answer may be from it."""
