# Groups: which chains are linked, and which of them have two eyes.
#
# A case is a title after %, a diagram, then lines:
#   play b C3                 is played
#   linked C3 D4 / parted C3 D4   the enemy cannot part the chains there, or that is not sure
#   two-eyes C3 / one-eye C3      the group of the chain there has two eyes, or fewer

# --- links --------------------------------------------------------------------------------

% diagonal, both points between empty; a jump; a knight's move
. . . . . . .
. . . . . . .
. X . X . . .
. . X . . . .
. . . . . . .
. . O . O . .
. . . . . . O
linked B5 C4
linked C4 D5
parted C2 E2
parted E2 G1

% diagonal, and the enemy has one of the points between
. . . . .
. X . . .
. O X . .
. . . . .
. . . . .
parted B4 C3
play w D4
parted B4 C3

% diagonal, the enemy would be taken at the other point
. . . . .
. X . X .
. O X . .
. . . . .
. . . . .
linked B4 C3
linked B4 D4
play w C5
parted B4 C3
linked C3 D4

% a stone that is taken, but what takes it is taken back
. . . . . .
. X O O . .
. O X . O .
. . O O . .
. . . . . .
. . . . . .
parted B5 C4

% bamboo joint
. . . . . .
. . . . . .
. X . X . .
. X . X . .
. . . . . .
. . . . . .
linked B3 D3
play w C5
play w C4
parted B3 D3

% a point where the enemy cannot play
. . . . . . .
. . O X O . .
. . X . X . .
. . O X O . .
. . . . . . .
. . . . . . .
. . . . . . .
linked C5 E5
linked D6 C5
play w D7
parted D6 C5
parted C5 E5


% links of links
. . . . . . .
. X . . . . .
. . X . . . .
. . . X . . .
. . O O X . .
. . . . . X .
. . . . . . .
linked B6 D4
parted D4 E3
linked E3 F2

# --- eyes ---------------------------------------------------------------------------------

% two eyes of one point
. X . X . . .
X X X X . . .
. . . . . . .
. . . . . . .
. . . . O O O
. . . . O . O
. . . . O O .
two-eyes A6
two-eyes E1

% one eye, and a larger one with stones of the enemy in it
. X O O . X .
X X X X X X .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
two-eyes A6

% one of the two belongs to another chain that can be cut off
. X O . . . .
X O O . . . .
. X X . . . .
X X . . . . .
. X . . . . .
X X O . . . .
O O . . . . .
one-eye B5
one-eye B7

% false at the edge, and true
. . . . . . .
O O O . . . .
X O . . . . .
. X O . . . .
X X O . . . .
. X O . . . .
X X O . . . .
one-eye B2

% the same with the corner
. . . . . . .
O O O . . . .
X X O . . . .
. X O . . . .
X X O . . . .
. X O . . . .
X X O . . . .
two-eyes B2

% three points are one eye; with the middle they are two
. . . . . . .
. . . . . . .
. . . . . . .
O O O O O . .
X X X X O . .
. . . X O . .
X X X X O . .
one-eye A1
play b B2
two-eyes A1

% four in a row are two, in a square one
O O O O O O .
X X X X X O .
. . . . X O .
X X X X X O .
O O O O O O .
. . . . . . .
. . . . . . .
two-eyes A4
play w B5
one-eye A4

% four in a square are one
. . . . . . .
O O O O . . .
X X X O . . .
. . X O . . .
. . X O . . .
X X X O . . .
O O O O . . .
one-eye A2

% five in a row
. . . . . . .
O O O O O O O
X X X X X X O
. . . . . X O
X X X X X X O
O O O O O O O
. . . . . . .
two-eyes A3

% a block of five
O O O O O . .
X X X X O . .
. . . X O . .
. . X X O . .
X X X O O . .
O O O O . . .
. . . . . . .
one-eye A3

% six: two rows of three at the edge
O O O O O . .
X X X X O . .
. . . X O . .
. . . X O . .
X X X X O . .
O O O O O . .
. . . . . . .
two-eyes A3

% a large territory
O O O O O O O O O
O X X X X X X X O
O X . . . . . X O
O X . . . . . X O
O X . . . . . X O
O X X X X X X X O
O O O O O O O O O
. O . . . . . . .
. O . . . . . . .
two-eyes B4
play w E6
one-eye B4

% the world outside is no eye
. . . . . . .
. . . . . . .
. . X X X . .
. . X . X . .
. . X X X . .
. . . . . . .
. . . . . . .
one-eye C3

% an enemy that has an eye inside
X X X X X X X
X O O O O O X
X O . O . O X
X O O O O O X
X X X X X X X
. . . . . . .
. . . . . . .
one-eye A7
two-eyes B6

% a prisoner in atari on either side of the last point
. . . . . .
. . . . . .
. . . . . .
O O . . . .
X O O . . .
. X O . . .
two-eyes B3
play b C4
two-eyes B3

% chains with an eye each, linked by a diagonal
. X . . . . .
X X . . . . .
. . X X X . .
. . X . X . .
. . X X X . .
. . . . . . .
. . . . . . .
two-eyes A6
two-eyes C3
play w B5
one-eye A6
one-eye C3
play b C6
two-eyes A6
two-eyes C3

% the only link is inside the eye: a stone thrown in, and where it is taken
. . X X . . .
X X O O O . .
X O . . . . .
X O . . . . .
X X O . . . .
. X O . . . .
X X O . . . .
linked B6 C7
one-eye B6
play b B7
two-eyes B6
