# Races: chains with three or four liberties.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   play b C3             is played
#   race b C3 D4 E5       the ataris that black would make for his chain at C3, or none

% nobody beside it
. . . . .
. . . . .
. . X . .
. . . . .
. . . . .
race b C3 none

% an enemy with three liberties is left alone
. . . . .
. . . . .
. . X . .
. . O . .
. . . . .
race b C3 none
race w C2 none

% an enemy with two liberties
. . . . .
. . . . .
. . X . .
. . O X .
. . . . .
race b C3 B2 C1

% an enemy in atari is not the business of this rule
. . . . .
. . . . .
. . X . .
. X O X .
. . . . .
race b C3 none

% two enemies, one of them with two liberties
. . . . . .
. . O . . .
. X X . . .
. . O X . .
. . . . . .
. . . . . .
race b C4 B3 C2

% two enemies with two liberties
. . . . . .
. . O X . .
. X X . . .
. . O X . .
. . . . . .
. . . . . .
race b C4 B3 B5 C2 C6

% stones in the corner, from either side
. . . . . . .
. . . . . . .
. . . . . . .
O O O O O . .
X X X . O . .
O O X . O . .
. . X . O . .
race b A3 A1 B1

% a self-atari is none of the ataris, but its connection is
. . . . . .
. . . . . .
. . . . . .
X X X X O .
O O O O X .
O . X . X .
race b E1 D1 E4 F3

% a chain of three stones with four liberties
. . . . . .
. . . . . .
. O X O . .
. O X O . .
. . X . . .
. . . . . .
race b C3 none

% the same, one wall is short of liberties
. . . . . .
. . X . . .
X O X O . .
X O X O . .
. . . . . .
. . . . . .
race b C5 B2 B5
