"""`goengine match`: games between engines, and what they say about strength."""
