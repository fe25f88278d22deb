# When an engine passes, and when it must not.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then
#   rules NAME, komi X
#   pass b                what was played before, if anything
#   choose w pass         the move that it must choose; several words are alternatives,
#                         and `stone` is any point

% it does not take its own stones out of a seki that wins
. X X X X
X X O O X
X O O O X
X . O O X
O O . O O
rules tromp-taylor
komi 0.5
choose w pass

% nor does the other side, where it wins
. X X X X
X X O O X
X O O O X
X . O O X
O O . O O
rules tromp-taylor
komi -30.5
choose b pass

% by territory it does not fill what is its own
. . X O .
X X X O O
. . X O .
X X X O O
. . X O .
rules japanese
komi 2.5
choose b pass
choose w pass

% a pass of the opponent is answered by one where that wins
. . X O .
X X X O O
. . X O .
X X X O O
. . X O .
rules chinese
komi 0.5
pass w
choose b pass

% and not where it loses
. . X O .
X X X O O
. . X O .
X X X O O
. . X O .
rules tromp-taylor
komi 7.5
pass w
choose b stone

% dead stones on the board do not make a won game of a lost one
. . X O .
. . X O .
. O X O .
. . X O .
. . X O .
rules chinese
komi -3.5
pass b
choose w stone

% an open board is no time to pass
. . . . .
. . . . .
. . X . .
. . . . .
. . . . .
rules japanese
komi 6.5
pass b
choose w stone
