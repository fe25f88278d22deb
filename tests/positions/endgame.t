# Who is dead, the score, and when to pass.
#
# A case is a title after %, a diagram (X black, O white, x and o: dead ones, . empty, top row
# first), then
#   rules NAME, komi X
#   to b                       whose turn it is
#   score B+3.5                the score with the dead stones of the diagram off
#   seki A1 B2 ...             one stone of each chain that lives in seki; without this, none
#   dame A1 B2 ...             points that are nobody's
#   genmove b pass             the move that it must choose; `stone` is any point
# Every stone in small letters must be found dead, and no other.

% two walls, nothing left
. X . X O . O
X . X X O O .
. X . X O . O
X X X X O O O
. X . X O . O
X . X X O O .
. X . X O . O
rules chinese
komi 7.5
to b
score W+0.5
genmove b pass
genmove w pass

% a stone without hope on either side
. X . X O . O
X X X X O O O
. . . X O . .
. . o X O . .
. . . X O . x
X X X X O O O
. X . X O . O
rules chinese
komi 2.5
to b
score B+4.5
genmove b pass
genmove w pass

% the same where every stone counts: it is taken
. X . X O . O
X X X X O O O
. . . X O . .
. . O X O . .
. . . X O . X
X X X X O O O
. X . X O . O
rules tromp-taylor
komi 2.5
to b
score B+1.5
genmove b stone

% by territory
. X . X O . O
X X X X O O O
. . . X O . .
. . o X O . .
. . . X O . x
X X X X O O O
. X . X O . O
rules japanese
komi 0.5
to b
score B+4.5
genmove b pass
genmove w pass

% a dame is played by area
. X . X O . O
X X X X O O O
. X . X O . O
X X X . O O O
. X X X O . O
X X . X O O O
. X X X O . O
rules chinese
komi 2.5
to b
score B+3.5
dame D4
genmove b D4
genmove w D4

% and need not be by territory
. X . X O . O
X X X X O O O
. X . X O . O
X X X . O O O
. X X X O . O
X X . X O O O
. X X X O . O
rules japanese
komi 0.5
to b
score B+2.5
dame D4
genmove b pass D4
genmove w pass D4

# --- seki ---------------------------------------------------------------------------------

% an eye on both sides and a point between them
. X X X X
X X O O X
X O O O X
X . O O X
O O . O O
rules chinese
komi 0.5
to b
score W+0.5
seki A3 C3 A1
dame B2
genmove b pass
genmove w pass

% by territory its eyes are no points
. X X X X
X X O O X
X O O O X
X . O O X
O O . O O
rules japanese
komi 3.5
to b
score W+3.5
seki A3 C3 A1
dame A5 B2 C1
genmove b pass
genmove w pass

% the same in a corner of a larger board
. O X X X O . . .
O O X . X O . O .
X . X X O O O . O
X X X O X O X O O
X O X O X X X X X
O O O O O O X . .
. . . . O X . X .
. . O . O X . . .
. . . O X X . . .
rules chinese
komi 7.5
to w
score W+13.5
seki A8 A7

# --- bent four in the corner --------------------------------------------------------------

% the surrounded group is dead as it stands
. X . X X .
X X X X . X
X X X X X X
o o X X X X
. o o o o X
X X X . o X
rules japanese
komi 6.5
to b
score B+13.5
genmove b pass
genmove w pass

# --- points of territory that have to be filled -------------------------------------------

% a false eye is filled when the outside is
. . X O O O .
. . X O O O O
X X . X X . O
. X X O O O O
X X X O . O .
. . X O O O O
. . X O . O .
rules japanese
komi 0.5
to b
score B+3.5
dame C5 F5
