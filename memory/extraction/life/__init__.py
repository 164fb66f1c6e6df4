"""What people tell of their lives: work, home, habits, tastes, pets, plans. Frames over clauses, in each language."""
