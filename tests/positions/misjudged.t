# Fights from lost games of ours that playouts by default take for undecided, at any number of
# them. With liberty maps (liberty_maps=on) they learn which moves hold, and the win rate comes nearer to
# the truth: GNU Go 3.8 plays each on to a clear loss, and so do our own searches.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then
#   play b B4 w E5        the last moves, which playouts look at
#   lost w 31.5           by so much, as GNU Go plays it on; it is this colour's turn
#   playouts 600          so many make the difference
#   between 0.30          the win rate by default is above, and with liberty maps below

% black's chains in the upper left corner live: a third of the playouts by default lose them
X O O . X X X O . . . . .
X O X X X O O . . . . X .
X O X . O . . O O . X . .
X X X X O O . . O . O X .
O X O X X . O O . . O X .
O X O . X . . . O O X O .
O O O O . O X X O X X X .
. X X O X O O O X . X . .
. X O O O . O O O X X . .
. . X O O . O O X O O X .
. X X X O O X O X . X O .
. X O X X O X X . X . . .
. O . O . X . O X . X . .
play w M5 b N4 w N5 b K6
lost w 31.5
playouts 600
between 0.30

% black's chains on the left live: half of the playouts by default lose them
. O . X . X . . . O . O .
. O X . X . X . O . O . O
O . O X X . X O O . O O O
X O O O X . O . O O X X O
X X X O X X X O X O X . X
X O O O O X X . X X . X .
X O X X O O X . . X O . X
X O X X O O O X X . X X .
X X X O . . X O . . . . .
O . X X O . O O X X . . .
O O X X O . O X . X . . .
O O X O O . O X . X . X .
. X . . . . . X . . X . .
play w B4 b E5 w F5 b G1
lost w 27.5
playouts 600
between 0.475

% white's chains on the left live: a third of the playouts by default lose them
. . . . . . . . . . . . .
. . O . O O O O X O X . .
. O X X O X X O . X . . .
. . O O X O X O . O X . .
. . O X X . X . . . X . .
. X X X X . . X X X O O .
O X O O X . . X O O X . .
O O O . O O X . O X O O .
O X X . O X . . . X X O .
. X O O O X X X . X O . .
O O O O X O O X . X O . .
. X O X X . X O O X O . .
X X X . X . . . . . . . .
play b D5 w A8 b B9 w B10
lost b 4.5
playouts 600
between 0.325
