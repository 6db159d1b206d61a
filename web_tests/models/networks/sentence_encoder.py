"""A model that turns the tokens of a sentence into vectors, as a text embedder uses them."""

from web_tests.models.networks.graph import Graph
from web_tests.models.networks.modern import LENGTH, WIDTH, WORDS


def sentence_encoder(length: int = LENGTH, words: int = WORDS, width: int = WIDTH) -> bytes:
    """Return a model of ids and a mask, int64[1, length], whose output is a vector of each token."""
    graph = Graph()
    ids, mask = (graph.tensor(name, (1, length), "int64") for name in ("input_ids", "attention_mask"))
    small = graph.op("CAST", [ids], ids.shape, dtype="int32")
    flat = graph.reshape(small, (length,))
    table = graph.random_weights("embedding", words, width)
    rows = graph.reshape(graph.op("EMBEDDING_LOOKUP", [flat, table], (length, width)), (1, length, width))
    weights = graph.reshape(graph.op("CAST", [mask], mask.shape), (1, length, 1))
    return graph.finish([ids, mask], [graph.binary("MUL", graph.unary("TANH", rows), weights)])
