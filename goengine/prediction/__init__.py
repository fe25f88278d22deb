"""How likely strong players are to make a move: weights learnt from game records."""
