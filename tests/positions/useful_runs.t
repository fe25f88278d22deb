# Running in a lost ladder: does it help?
#
# A case is a title after %, a diagram, then lines:
#   play b C3             is played
#   useful C3 / useless C3    whether the chain there, in atari, should run though it is lost

% in the open there is nothing to gain
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . O . . . .
. O X . . . .
. . O . . . .
useless C2

% it gets out: no ladder
. . . . . . .
. . . . . . .
. . . . . . .
. . . . X . .
. . O . . . .
. O X . . . .
. . O . . . .
useless C2

% white has to answer on the point that would have been the second eye
X X X . . . .
. O X . . . .
. O X . . . .
. O X . . . .
X O X . . . .
O O X . . . .
X X X . . . .
useful A3

% the same, but white gets out
. . . . . . .
. O . . . . .
. O X . . . .
. O X . . . .
X O X . . . .
O O X . . . .
X X X . . . .
useless A3

% the same, but white has two eyes anyway
X X X X X X .
. O O O O X .
. O . O . O X
. O O O O O X
X O X X X X X
O O X . . . .
X X X . . . .
useless A3

% the same, but white joins another group
X X X X . . .
. O . O . . .
. O X O . . .
. O X O . . .
X O X . . . .
O O X . . . .
X X X . . . .
useless A3

% the stones that are taken leave room for two eyes
X X X X X X .
O O O O O X .
. . . X O X .
O O O X O X .
X X O O O X .
. X X X X X .
. . . . . . .
useless D5
