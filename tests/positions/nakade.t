# Small eyes and their vital points.
#
# A case is a title after %, a diagram, then lines:
#   vital b C3 C4         the eye of black around C3 has its vital point on C4
#   none b C3             the empty points around C3 are no eye of black with a vital point

% one and two points have none
. . . . . . .
X X X X . . .
X . X X X X .
X X X . . X .
. . X X X X .
. . . . . . .
. . . . . . .
none b B5
none b D4

% three in a row, and bent
. . . . . . .
X X X X X . .
X . . . X . .
X X X X X X .
. . . X . X .
. . X X . . X
. . . X X X .
vital b B5 C5
vital b D5 C5
vital b E3 E2
vital b F2 E2
none w B5
none w E3

% four: the pyramid has a vital point
. . O O O O O
. O O . . . O
. O O O . O .
O O . O O O .
O . . O . . .
O O . O . . .
. O O O . . .
vital w D6 E6
vital w E5 E6
vital w B3 C3
none b E6

% four: not in a row, bent, zigzag and square
X X X X X X X X X
X . . . . X . . X
X X X X X X . . X
X . X . X X X X X
X . X . . X . X X
X . . X . X . . X
X X X X X X X . X
. . . . . X X X X
. . . . . . . . .
none b B8
none b B4
none b D5
none b G8
none b G4

% five: bulky and crossed
X X X X . X X X .
X . . X X X . X .
X . . . X . . . X
X X X X X X . X X
. . . . . X X X .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
vital b B8 C7
vital b D7 C7
vital b G8 G7
vital b F7 G7

% five: in a row, and a pyramid with a long foot
. . . . . . . . .
X X X X X X X . .
X . . . . . X . .
X X X X X X X X .
X . . . X . . . .
X X . X X . . . .
. X . X . . . . .
. X X X . . . . .
. . . . . . . . .
none b B7
none b C4

% six: rabbity, and others
X X X X . . . . .
X . . X X X X X X
X . . . X . . . X
X X . X X . . . X
. X X X X X X X X
. . . . . . . . .
X X X X X X X . .
. . . . . . X . .
X X X X X X X . .
vital b B8 C7
vital b C6 C7
none b F7
none b A2

% seven points are too many
X X X X . . . . .
X . . X X . . . .
X . . . . X . . .
X X . X X X . . .
. X X X . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
none b C7

% in the corner and at the edge
. . X O . . O
. X X O O . O
X X . . O O O
. . . . . . .
O O O X X X X
O . O X . . .
. . O X X X X
vital b A7 A7
vital b B7 A7
vital w E7 F7
vital w A1 B1
vital b G2 F2

% an enemy stone inside spoils it
. . . . . . .
X X X X X . .
X . . O X . .
X X X X X X .
. . . X . X .
. . X X . . O
. . . X X X .
none b B5
none b E3

% walls that do not hang together are walls
. X . . . . .
X . X . . . .
X . X . . . .
X . X . . . .
. X . . . . .
. . . . . . .
. . . . . . .
vital b B4 B5
