"""What the memory graph costs: `python -m benchmarks.graph`."""
