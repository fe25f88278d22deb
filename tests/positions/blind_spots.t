# Fights from lost games of ours in which a search by default does not see the move that holds, and
# one with criticality does (criticality=2, criticality_visits=10).
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then
#   play b C11 w B10      the last moves, which playouts and priors look at
#   choose b D9           the move that holds
#   worth 0.53 0.41       its win rate by 20,000 playouts after it, and that of what is played instead
#   playouts 1000         so many make the difference

% a race in the corner: the last liberties
O . X . X . . . . . . . .
. O O X . X . . . . . . .
O X X O X . . . . X . . .
O O . O . . X . . . X . .
O . O . . . . . . . . . .
X O O . . . . . . . O . .
X X X O O . . . . . . . .
. X O . O . . . . . . . .
X O . O X . . O X O O . .
. X O O X O O . X O X O .
. . X O O X O X . X . X .
. . X . O X X X . X X O .
. . . . . . . X . X . . .
play w A6 b J6 w L3 b N3
choose w N4
worth 0.80 0.71
playouts 2000

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
