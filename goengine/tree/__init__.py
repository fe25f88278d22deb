"""The search tree: flat columns in shared memory, grown by many processes at once."""
