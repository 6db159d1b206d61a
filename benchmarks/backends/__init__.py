"""Where each signature of models is faster: measuring, result, document."""
