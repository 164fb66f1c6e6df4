"""What remembering costs: searches, the forgetting sweep, finalisation, recall. benchmarks/README.md says how."""
