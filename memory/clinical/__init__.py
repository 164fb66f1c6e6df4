"""What a text says of somebody's health: words of medicine, who is meant, and whether it is so."""
