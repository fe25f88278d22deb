# What is alive even if its owner passes for ever.
#
# A case is a title after %, a diagram, then lines:
#   alive C3 D4           the chains there cannot be taken
#   open C3               that is not sure
#   vital b A1 A2         points of regions that keep chains of black alive
#   loose b A1            a point of no such region
#   suicide               is allowed from here on

% an empty board
. . . . .
. . . . .
. . . . .
. . . . .
. . . . .
loose b A1 C3
loose w A1 C3

% two eyes
. X . X .
X X X X .
. . . . .
. . O O O
. O . O .
alive A4 D5
vital b A5 C5
loose b E5 A1 B5
open B1 D1
loose w E1

% one big eye
. . . . X .
X X X X X .
. . . . . .
. O O O O O
. O . . . .
. O . . . .
open A5 B1
loose b A6
loose w C1

% an eye of two points and one of one
. . X . X
X X X X X
. . . . .
. . . . .
. . . . .
alive A4
vital b A5 B5 D5
loose b A1

% bent three and an eye beside it: each point is beside the chain
. . . . . . .
. X X X X . .
. X . . X X .
. X . X X . X
. X X X X X X
. . . . . . .
. . . . . . .
alive B6
vital b C5 D5 C4 F4
loose b A1

% bent three in the corner: its middle is beside no stone
. . X . X
. X X X X
X X . . .
. . . . .
. . . . .
open C5
loose b A5 D5

% but with an enemy stone on that point, all empty ones are
O . X . X
. X X X X
X X . . .
. . . . .
. . . . .
alive C5 A3
vital b A5 B5 A4 D5
open A5
suicide
open C5 A3
loose b A5

% enemy stones inside an eye do not help
. O . X .
X X X X X
. . . . .
. . . . .
. . . . .
alive A4
vital b A5 B5 C5 E5
open B5
suicide
alive A4

% two chains that share two eyes, both false
. . X X O . .
. X X . X . .
. X O X X X .
. X . . . X .
. X X X O X .
. X X . X X .
. . O X X . .
alive C7 E6
vital b D6 D2
loose b D4 C5 A1 G7
open C5 E7

% the same with one eye broken
. . X X O . .
. X X . X . .
. X O O X X .
. X . . . X .
. X X X O X .
. X X . X X .
. . O X X . .
open C7 E6
loose b D6 D2

% a chain that needs an eye shared with one that is not alive
. X . X .
X X X O .
. . . . .
. . . . .
. . . . .
open B5 D5
loose b A5 C5

% it falls through a whole row of them
. X . X . X . X O
X X X O X X X O .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
open B9 D9 F9 H9
loose b A9 C9 E9 G9

% and stands if the last one has an eye of its own
. X . X . X . X .
X X X O X X X X X
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
alive B9 D9 F9
vital b A9 C9 E9 G9 J9

% a region that is vital to one of its two chains
. X . . X X .
X X X X . X X
. . . . X . X
. . . . X X X
. . . . . . .
. . . . . . .
. . . . . . .
alive B7 E7
vital b A7 C7 D7 E6 G7 F5
loose b D5 A1

% both colours live, each in the other's region
. . . . . . .
. . . . . . .
O O O . . . .
. . . . . . .
O O O O X X X
. O . O X . X
O O O O X X .
alive A3
vital w A2 C2
alive E3
vital b F2 G1
open A5
loose w A4 A6 F2
loose b A2
