"""Whether an answer rests on a memory: labelled pairs, judged by rules."""
