"""The engine: rules, board, playouts, and GTP as text in, text out."""

# X.Y with Y of 15 and more: Lizzie refuses an engine below, and reads nothing else.
__version__ = "0.21"
