"""What a nurse asks for first: complaints, medicines, measured values and tests, read of what a user says."""
