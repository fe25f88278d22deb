"""The engine: rules, board, playouts, and GTP as text in, text out."""

__version__ = "0.1"
