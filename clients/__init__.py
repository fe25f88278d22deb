"""Thin clients: the `goengine` command, the GTP bridge for GUIs, the game in a terminal."""
