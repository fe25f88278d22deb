# Races: two chains that are shut in beside each other.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   fills b C3 D4 E5      the liberties that black fills for the chain at C3, or none

% three against three: whoever moves
. . . . . . .
. . . . . . .
. . . . . . .
. O O X X . .
O . X O . X .
O . X O . X .
O . X O . X .
fills b C1 E1 E2 E3
fills w D1 B1 B2 B3

% two against three: only white
. . . . . . .
. . . . . . .
. . . . . . .
. O O X X . .
O O X O . X .
O . X O . X .
O . X O . X .
fills b C1 none
fills w D1 B1 B2

% black would get out
. . . . . . .
. . . . . . .
. . . . . . .
. . X O X . .
O . X O . X .
O . X O . X .
O . X O . X .
fills b C1 none
fills w D1 none

% a friend at hand
. . . . . . .
. . . . . . .
. . . . . . .
O X O X X . .
O . X O . X .
O . X O . X .
O . X O . X .
fills b C1 none
fills w D1 none

% two liberties are shared, and one is left on either side: a seki
. . . . . . .
. . . . . . .
. . . . . . .
. . O O X X .
. O X X O X .
. O X . O X .
O . X . O . X
fills b C1 none
fills w E1 none

% the same with another liberty for black
. . . . . . .
. . . . . . .
. . . . . . .
. . O O X X .
. O X X O X .
O . X . O X .
O . X . O . X
fills b C1 F1
fills w E1 none

% one shared liberty is filled last
. . . . . . .
. . . . . . .
. . . . . . .
. . O O X X .
. O X X O X .
O . X X O . X
O . X . O . X
fills b C1 F1 F2
fills w E1 B1 B2

% who has an eye needs no race
. . . . . . .
. . . . . . .
. . . . . . .
. O O X X . .
O . X O O X .
O . X O . X .
O . X O O X .
fills b C1 none

% eyes that are large are no liberties to be filled
. . . . . . .
. . . . . . .
. . . . . . .
X X X O O O O
. . X O . . O
X X X O O O O
. . X O . . O
fills b C1 none
fills w D1 none

% all liberties of three white stones are black ones: that is about eyes
. . . . . .
. . . . . .
O O O O O O
O O . O O O
X X X X X X
. O O O . X
fills b A2 none
