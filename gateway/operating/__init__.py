"""What is asked of a gateway itself, not of what it remembers: its settings, and how the parts are that it runs on."""
