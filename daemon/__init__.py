"""What runs engines for clients; today inside the client's own process."""
