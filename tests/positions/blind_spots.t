# Fights from lost games of ours in which a search by default does not see the move that holds, and
# one with criticality does (criticality=2, criticality_visits=10).
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then
#   play b C11 w B10      the last moves, which playouts and priors look at
#   choose b D9           the move that holds
#   worth 0.53 0.41       its win rate by 20,000 playouts after it, and that of what is played instead
#   playouts 1000         so many make the difference

% a cut: who is cut off has two liberties
. . . . . . . . . . . . .
. . . . . . . . . . X X .
. . . O . X . . . X O O .
. . O X . . X . . X O . .
. . X . . O O X X O O X .
. . . . . . X O O X X . .
. X . O . . X . X O X . .
. . O . . . . . . O X X X
. O O . O . X . . O X O O
. O X O O X . . . O O . O
. X X X O . . . . . . O .
. . X . O . . . . . . . .
. . . . . . . . . . . . .
play b C11 w B10 b D12 w E10
choose b D9
worth 0.53 0.41
playouts 1000

% a cut below a chain that cannot be left alone
. . . . . . . . . . . . .
. . . . . . . . . . . . .
. . . . . . . . . X . . .
. . . . . . . . X . X . .
. . . . . . . . X O O X .
. . . . . . . X O X O X .
. O . O . . O O O . O . .
. X O . . . . . . . . . .
. X O . . . X . . . . . .
. X X O . . . . . . . . .
. O O X O O O O O O O . .
. . . X X X X X X X X O .
. . . . . . . . . . . X .
play b C8 w C7 b B2 w A4
choose b E4
worth 0.34 0.29
playouts 2000

% a race on the right, in a game that is almost lost
. . . O O X . . . . . . .
. . O O X . . . . . . . .
. . O X . X . . . X . . .
. . O X . . . . . . X X .
. O X X . . . . . . O X O
. . O X . X X X X X O O .
X O O X X O X O X O X X .
O . . O O O O O O O O X .
. O . O X O . O . . O X .
. X O . . O O O O O O X X
. . . . O O X X O X O X X
. . O . O X . X X X O O X
. . . O X X X . . X X O .
play w N1 b K9 w N10 b pass
choose w M11
worth 0.14 0.09
playouts 1000
