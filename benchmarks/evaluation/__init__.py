"""How well memories are found again, measured through the public API: README.md says how, and with which figures."""
