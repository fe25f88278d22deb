"""Parameters tuned by games."""
